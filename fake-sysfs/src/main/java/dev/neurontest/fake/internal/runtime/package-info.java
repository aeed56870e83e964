/** The parts of the runtime library's stand-in on the host: the library file, private files, and the encoding of tensors. */
@NullMarked
package dev.neurontest.fake.internal.runtime;

import org.jspecify.annotations.NullMarked;
