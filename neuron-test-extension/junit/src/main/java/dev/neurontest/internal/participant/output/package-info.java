/** Outputs of models while a test runs. */
@NullMarked
package dev.neurontest.internal.participant.output;

import org.jspecify.annotations.NullMarked;
