/** Sends what a run measured to what a site keeps its history in. A decision never waits for that. */
@NullMarked
package dev.neurontest.internal.export;

import org.jspecify.annotations.NullMarked;
