/** The Neuron devices of a host, their physical and logical cores, and the links between them. */
@NullMarked
package dev.neurontest.device;

import org.jspecify.annotations.NullMarked;
