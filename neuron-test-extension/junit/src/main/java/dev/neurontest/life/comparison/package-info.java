/** What the numbers of a test are compared with. */
@NullMarked
package dev.neurontest.life.comparison;

import org.jspecify.annotations.NullMarked;
