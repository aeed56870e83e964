/** Explanations why a profile took longer than another: sums of instruction times, their storage, and their comparison. */
@NullMarked
package dev.neurontest.internal.profile.explain;

import org.jspecify.annotations.NullMarked;
