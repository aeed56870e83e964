/** What the stand-in of the runtime library needs of the host: the file itself, private files, and the encoding of tensors. */
@NullMarked
package dev.neurontest.fake.internal.runtime;

import org.jspecify.annotations.NullMarked;
