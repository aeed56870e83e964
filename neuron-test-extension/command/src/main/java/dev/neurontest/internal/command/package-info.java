/** The command {@code neuron-test}. It runs tests without a build tool, and examines hosts, runs and baselines. */
@NullMarked
package dev.neurontest.internal.command;

import org.jspecify.annotations.NullMarked;
