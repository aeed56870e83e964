/** The HTML page of a run. */
@NullMarked
package dev.neurontest.internal.report.page;

import org.jspecify.annotations.NullMarked;
