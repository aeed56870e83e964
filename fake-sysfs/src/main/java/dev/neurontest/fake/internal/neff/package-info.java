/** Compiled models as files: what the stand-ins write into a NEFF and read from it. */
@NullMarked
package dev.neurontest.fake.internal.neff;

import org.jspecify.annotations.NullMarked;
