/** The stand-ins for {@code neuron-ls} and {@code neuron-monitor}. */
@NullMarked
package dev.neurontest.fake.internal.systemtool;

import org.jspecify.annotations.NullMarked;
