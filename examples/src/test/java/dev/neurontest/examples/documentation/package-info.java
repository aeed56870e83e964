/** Compares what the documentation shows with what the code says and does. */
@NullMarked
package dev.neurontest.examples.documentation;

import org.jspecify.annotations.NullMarked;
