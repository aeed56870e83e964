/** The tree as real files for programs in any language: their location and their updates. */
@NullMarked
package dev.neurontest.fake.internal.tree.directory;

import org.jspecify.annotations.NullMarked;
