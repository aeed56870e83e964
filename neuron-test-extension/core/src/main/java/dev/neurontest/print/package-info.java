/** What kernels printed from the device: events of the debug stream and of other ways out of a process, kept and judged. */
@NullMarked
package dev.neurontest.print;

import org.jspecify.annotations.NullMarked;
