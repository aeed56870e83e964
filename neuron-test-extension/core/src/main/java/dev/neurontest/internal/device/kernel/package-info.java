/** The kernel log of a host, limited to lines about Neuron devices. */
@NullMarked
package dev.neurontest.internal.device.kernel;

import org.jspecify.annotations.NullMarked;
