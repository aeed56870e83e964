/** Which cores a test, its classes and the session have. */
@NullMarked
package dev.neurontest.life.lease;

import org.jspecify.annotations.NullMarked;
