/** Thresholds and other expectations of tests for a profile, and their judgement. */
@NullMarked
package dev.neurontest.internal.profile.threshold;

import org.jspecify.annotations.NullMarked;
