/** What a process that uses the runtime gets, and leaves: variables, the release of its cores. */
@NullMarked
package dev.neurontest.device.runtime;

import org.jspecify.annotations.NullMarked;
