/** What kernels printed from the device: the prints of a test, what is demanded of them, and how they are shown. */
@NullMarked
package dev.neurontest.print;

import org.jspecify.annotations.NullMarked;
