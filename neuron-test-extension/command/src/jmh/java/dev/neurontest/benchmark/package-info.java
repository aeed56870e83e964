/** Benchmarks of Neuron Test and of comparable programs. */
@NullMarked
package dev.neurontest.benchmark;

import org.jspecify.annotations.NullMarked;
