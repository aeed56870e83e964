/** The driver's state as a tree of files, read and written by method call. */
@NullMarked
package dev.neurontest.fake.internal.tree;

import org.jspecify.annotations.NullMarked;
