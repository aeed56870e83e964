/** Prints of child processes: forwarded, in files, or as text in their output. */
@NullMarked
package dev.neurontest.internal.print.child;

import org.jspecify.annotations.NullMarked;
