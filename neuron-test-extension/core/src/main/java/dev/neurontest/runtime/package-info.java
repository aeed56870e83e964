/** The Neuron runtime, libnrt, in this process. */
@NullMarked
package dev.neurontest.runtime;

import org.jspecify.annotations.NullMarked;
