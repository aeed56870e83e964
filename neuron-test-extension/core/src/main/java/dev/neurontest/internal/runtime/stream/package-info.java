/** Debug streams: connections to a core, their events, and waiting for these. */
@NullMarked
package dev.neurontest.internal.runtime.stream;

import org.jspecify.annotations.NullMarked;
