/** Events of the debug stream, from this process and forwarded by others: reading, storage and decoding. */
@NullMarked
package dev.neurontest.internal.print.stream;

import org.jspecify.annotations.NullMarked;
