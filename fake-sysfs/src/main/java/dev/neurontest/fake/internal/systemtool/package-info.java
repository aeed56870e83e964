/** The stand-ins for {@code neuron-ls}, {@code neuron-monitor} and {@code nccom-test}. */
@NullMarked
package dev.neurontest.fake.internal.systemtool;

import org.jspecify.annotations.NullMarked;
