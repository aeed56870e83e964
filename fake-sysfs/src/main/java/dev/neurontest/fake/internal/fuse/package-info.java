/**
 * The view as a mounted file system: a server of the kernel's {@code /dev/fuse} protocol that shows a
 * {@link dev.neurontest.fake.FakeTree} like sysfs. 64-bit Linux only.
 */
@NullMarked
package dev.neurontest.fake.internal.fuse;

import org.jspecify.annotations.NullMarked;
