/** How everything says durations, counts, nearest names and tables. */
@NullMarked
package dev.neurontest.internal.text;

import org.jspecify.annotations.NullMarked;
