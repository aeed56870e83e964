/** The environment variables of a process that uses the runtime, and the release of its cores. */
@NullMarked
package dev.neurontest.internal.device.runtime;

import org.jspecify.annotations.NullMarked;
