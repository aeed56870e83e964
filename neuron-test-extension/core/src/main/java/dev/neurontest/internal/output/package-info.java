/** Outputs of executions: what they contain, and what a test expects of them. The source of an output is not known here. */
@NullMarked
package dev.neurontest.internal.output;

import org.jspecify.annotations.NullMarked;
