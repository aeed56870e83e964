/** Participants in the lifecycle of a test: their interface, and the classes that they share. */
@NullMarked
package dev.neurontest.internal.participant;

import org.jspecify.annotations.NullMarked;
