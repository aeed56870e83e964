/** What a measured value is: its name, its unit, which way is better, and how much it varies by itself. */
@NullMarked
package dev.neurontest.metric;

import org.jspecify.annotations.NullMarked;
