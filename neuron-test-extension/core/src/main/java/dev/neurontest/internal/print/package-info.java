/** Sources of prints, checks of expectations, and the views of prints. */
@NullMarked
package dev.neurontest.internal.print;

import org.jspecify.annotations.NullMarked;
