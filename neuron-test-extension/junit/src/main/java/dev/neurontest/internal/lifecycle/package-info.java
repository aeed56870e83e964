/** The life of a test: a loop over all that take part in it, of which it knows no more than what they have in common. */
@NullMarked
package dev.neurontest.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
