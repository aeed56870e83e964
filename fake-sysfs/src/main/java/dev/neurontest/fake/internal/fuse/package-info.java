/**
 * The view as a file system of its own: a server that speaks the kernel's {@code /dev/fuse} protocol and shows a
 * {@link dev.neurontest.fake.FakeTree} as sysfs would show it. Linux with 64 bits only.
 */
@NullMarked
package dev.neurontest.fake.internal.fuse;

import org.jspecify.annotations.NullMarked;
