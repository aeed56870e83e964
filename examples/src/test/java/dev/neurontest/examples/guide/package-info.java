/** The code that the pages in docs show: tests that pass, and fixtures with failures to show. */
@NullMarked
package dev.neurontest.examples.guide;

import org.jspecify.annotations.NullMarked;
