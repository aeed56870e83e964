/** Debug streams: connections to a core, their events, and waiting for these. */
@NullMarked
package dev.neurontest.runtime.stream;

import org.jspecify.annotations.NullMarked;
