/** The goals of the Maven plugin. Each passes its parameters to a command of {@code neuron-test}, which decides and prints. */
@NullMarked
package dev.neurontest.internal.maven;

import org.jspecify.annotations.NullMarked;
