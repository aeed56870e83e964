/** Debug streams: connections to a core, events, and waiting for events. */
@NullMarked
package dev.neurontest.internal.runtime.stream;

import org.jspecify.annotations.NullMarked;
