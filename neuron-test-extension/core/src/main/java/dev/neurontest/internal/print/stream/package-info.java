/** Events of the debug stream, from this process and forwarded by others: read, kept, and decoded to prints. */
@NullMarked
package dev.neurontest.internal.print.stream;

import org.jspecify.annotations.NullMarked;
