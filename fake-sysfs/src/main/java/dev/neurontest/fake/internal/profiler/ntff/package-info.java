/** Trace files: NTFF and its protobuf encoding. */
@NullMarked
package dev.neurontest.fake.internal.profiler.ntff;

import org.jspecify.annotations.NullMarked;
