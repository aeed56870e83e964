/** What a process that uses the runtime is told, says, and leaves: variables, status lines, the release of its cores. */
@NullMarked
package dev.neurontest.device.runtime;

import org.jspecify.annotations.NullMarked;
