/** What the kernel says of mounts, for the rooms that make them and that keep clear of them. */
@NullMarked
package dev.neurontest.fake.internal.mounts;

import org.jspecify.annotations.NullMarked;
