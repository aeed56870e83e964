/** The kernel's mount table, for the packages that create mounts and for those that must avoid them. */
@NullMarked
package dev.neurontest.fake.internal.mounts;

import org.jspecify.annotations.NullMarked;
