/**
 * Recordings of a host as text: the content of its files at a moment, and their changes afterwards. {@code replay:<file>} makes a host from
 * the text. The format is the Neuron archive, version 1. It is documented in the module of the fake. The fake has its own writer, which
 * shares no code with this one.
 */
@NullMarked
package dev.neurontest.internal.archive;

import org.jspecify.annotations.NullMarked;
