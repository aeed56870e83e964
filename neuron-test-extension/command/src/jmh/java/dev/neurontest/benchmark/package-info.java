/** Benchmarks of Neuron Test beside its peers. */
@NullMarked
package dev.neurontest.benchmark;

import org.jspecify.annotations.NullMarked;
