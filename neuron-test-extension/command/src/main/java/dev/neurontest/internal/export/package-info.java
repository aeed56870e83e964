/** The publication of the numbers of a run to a service that stores their history. A decision never waits for it. */
@NullMarked
package dev.neurontest.internal.export;

import org.jspecify.annotations.NullMarked;
