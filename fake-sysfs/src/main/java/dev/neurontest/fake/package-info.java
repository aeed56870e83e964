/** A Neuron host without hardware: start it, script what it does, read it as any program would. */
@NullMarked
package dev.neurontest.fake;

import org.jspecify.annotations.NullMarked;
