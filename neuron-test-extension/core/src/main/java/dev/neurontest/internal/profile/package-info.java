/** Metrics of a profile, their distributions, and doubts about a measurement. */
@NullMarked
package dev.neurontest.internal.profile;

import org.jspecify.annotations.NullMarked;
