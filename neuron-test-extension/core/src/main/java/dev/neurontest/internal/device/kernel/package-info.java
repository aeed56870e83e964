/** The kernel log of a host, as far as it is about Neuron devices. */
@NullMarked
package dev.neurontest.internal.device.kernel;

import org.jspecify.annotations.NullMarked;
