/** Recordings of the host files around a test, and their replay on a recorded host. */
@NullMarked
package dev.neurontest.internal.participant.replay;

import org.jspecify.annotations.NullMarked;
