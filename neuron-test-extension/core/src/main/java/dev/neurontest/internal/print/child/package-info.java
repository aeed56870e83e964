/** The prints of child processes: forwarded, in files, or as text among their output. */
@NullMarked
package dev.neurontest.internal.print.child;

import org.jspecify.annotations.NullMarked;
