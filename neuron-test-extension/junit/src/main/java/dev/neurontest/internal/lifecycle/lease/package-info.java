/** Which cores a test, its classes and the session have. */
@NullMarked
package dev.neurontest.internal.lifecycle.lease;

import org.jspecify.annotations.NullMarked;
