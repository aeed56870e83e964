/** Statuses of the runtime, the lines in which it reports them, whose fault they can be, and what becomes of a core. */
@NullMarked
package dev.neurontest.internal.status;

import org.jspecify.annotations.NullMarked;
