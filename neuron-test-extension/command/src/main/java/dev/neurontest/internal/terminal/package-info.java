/** The output of text on the terminal: its width, its colors, and the progress line. */
@NullMarked
package dev.neurontest.internal.terminal;

import org.jspecify.annotations.NullMarked;
