/** The statuses of the runtime, the lines that report them, the possible faults, and the consequences for a core. */
@NullMarked
package dev.neurontest.internal.status;

import org.jspecify.annotations.NullMarked;
