/** How text reaches the screen: its width, its colours, and the line that says how far a command is. */
@NullMarked
package dev.neurontest.internal.terminal;

import org.jspecify.annotations.NullMarked;
