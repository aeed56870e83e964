/** Files of compiled models: the stand-ins' encoding and decoding of NEFFs. */
@NullMarked
package dev.neurontest.fake.internal.neff;

import org.jspecify.annotations.NullMarked;
