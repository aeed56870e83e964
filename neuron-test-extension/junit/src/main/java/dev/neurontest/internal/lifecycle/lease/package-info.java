/** Leased cores of a test, its classes and the session. */
@NullMarked
package dev.neurontest.internal.lifecycle.lease;

import org.jspecify.annotations.NullMarked;
