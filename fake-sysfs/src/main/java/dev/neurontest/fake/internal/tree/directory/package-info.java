/** The tree as real files, for programs of any language: where they lie, and how they are kept current. */
@NullMarked
package dev.neurontest.fake.internal.tree.directory;

import org.jspecify.annotations.NullMarked;
