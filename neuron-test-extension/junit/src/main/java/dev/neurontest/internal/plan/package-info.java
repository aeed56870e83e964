/** Readers of annotations and parameters, and the test plan that they produce. A plan contains only values. */
@NullMarked
package dev.neurontest.internal.plan;

import org.jspecify.annotations.NullMarked;
