/** Readers of the summary that a tool prints. */
@NullMarked
package dev.neurontest.internal.profile.summary;

import org.jspecify.annotations.NullMarked;
