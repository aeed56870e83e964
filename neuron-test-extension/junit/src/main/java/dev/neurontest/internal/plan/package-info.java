/** Readers of annotations and parameters, and the plan of a test that they produce. A plan holds values only. */
@NullMarked
package dev.neurontest.internal.plan;

import org.jspecify.annotations.NullMarked;
