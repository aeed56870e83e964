/** A run as a page for people. */
@NullMarked
package dev.neurontest.report.page;

import org.jspecify.annotations.NullMarked;
