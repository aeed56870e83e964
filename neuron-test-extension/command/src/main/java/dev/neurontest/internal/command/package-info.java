/** The command {@code neuron-test}: runs tests without a build tool, and looks at hosts, runs and baselines. */
@NullMarked
package dev.neurontest.internal.command;

import org.jspecify.annotations.NullMarked;
