/** A run as a page for people. */
@NullMarked
package dev.neurontest.internal.report.page;

import org.jspecify.annotations.NullMarked;
