/**
 * Recordings of a host: what its files said at a moment, and how they changed after it, as a text of which {@code replay:<file>} makes a
 * host again. The text is the Neuron archive, version 1. It is described beside the fake, whose own writer shares no code with this one.
 */
@NullMarked
package dev.neurontest.internal.archive;

import org.jspecify.annotations.NullMarked;
