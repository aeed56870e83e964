/**
 * The messages between the kernel and a FUSE server, with the layout of {@code linux/fuse.h} on 64-bit Linux in the machine's byte
 * order. Protocol 7.31 and later.
 */
@NullMarked
package dev.neurontest.fake.internal.fuse.protocol;

import org.jspecify.annotations.NullMarked;
