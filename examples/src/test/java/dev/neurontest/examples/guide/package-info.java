/** What the pages in docs show: tests that pass, and fixtures that fail so that their messages can be shown. */
@NullMarked
package dev.neurontest.examples.guide;

import org.jspecify.annotations.NullMarked;
