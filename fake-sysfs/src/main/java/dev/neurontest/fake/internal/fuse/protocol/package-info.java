/**
 * The messages between the kernel and a FUSE server, as {@code linux/fuse.h} lays them out: 64-bit Linux, the machine's byte
 * order. Protocol 7.31 and later.
 */
@NullMarked
package dev.neurontest.fake.internal.fuse.protocol;

import org.jspecify.annotations.NullMarked;
