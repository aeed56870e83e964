/** The Neuron devices of a host, their physical and logical cores, and how they are linked. */
@NullMarked
package dev.neurontest.device;

import org.jspecify.annotations.NullMarked;
