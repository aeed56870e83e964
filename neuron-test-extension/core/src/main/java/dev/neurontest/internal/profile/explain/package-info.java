/** Why a profile took longer than another: what single instructions took, summed up so that it can be kept, and two such sums compared. */
@NullMarked
package dev.neurontest.internal.profile.explain;

import org.jspecify.annotations.NullMarked;
