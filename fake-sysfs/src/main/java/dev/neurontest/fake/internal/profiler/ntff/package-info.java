/** Traces as files: what an NTFF says, and the protobuf that it is made of. */
@NullMarked
package dev.neurontest.fake.internal.profiler.ntff;

import org.jspecify.annotations.NullMarked;
