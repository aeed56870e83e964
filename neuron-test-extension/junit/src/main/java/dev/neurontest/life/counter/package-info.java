/** What the driver counts, and the kernel log says, while a test runs. */
@NullMarked
package dev.neurontest.life.counter;

import org.jspecify.annotations.NullMarked;
