/** The storage of baselines: files, proposals, and the permission to change them. */
@NullMarked
package dev.neurontest.internal.baseline.history;

import org.jspecify.annotations.NullMarked;
