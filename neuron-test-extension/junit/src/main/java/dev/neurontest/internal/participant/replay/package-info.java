/** What the files of a host do around a test: recorded, and on a recorded host as it was then. */
@NullMarked
package dev.neurontest.internal.participant.replay;

import org.jspecify.annotations.NullMarked;
