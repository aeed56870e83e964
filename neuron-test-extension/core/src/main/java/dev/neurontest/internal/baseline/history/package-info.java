/** Baselines as they are kept: their files, proposals, and who may change them. */
@NullMarked
package dev.neurontest.internal.baseline.history;

import org.jspecify.annotations.NullMarked;
