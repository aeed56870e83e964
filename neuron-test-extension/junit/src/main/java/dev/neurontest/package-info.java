/** Annotations for Neuron tests, and the JUnit extension that leases cores and judges measurements. */
@NullMarked
package dev.neurontest;

import org.jspecify.annotations.NullMarked;
