/** A Neuron host without hardware. Start it, script its behavior, and read it as any program would. */
@NullMarked
package dev.neurontest.fake;

import org.jspecify.annotations.NullMarked;
