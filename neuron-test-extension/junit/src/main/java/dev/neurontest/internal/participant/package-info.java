/** Participants in the lifecycle of a test: what they implement, and what they share. */
@NullMarked
package dev.neurontest.internal.participant;

import org.jspecify.annotations.NullMarked;
