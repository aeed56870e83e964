/** What the driver counts while a test runs. */
@NullMarked
package dev.neurontest.life.counter;

import org.jspecify.annotations.NullMarked;
