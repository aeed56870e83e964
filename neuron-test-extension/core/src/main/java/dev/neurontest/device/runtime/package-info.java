/** What a process that uses the runtime is told, says, and leaves: variables, status lines, groups of cores, the release of its cores. */
@NullMarked
package dev.neurontest.device.runtime;

import org.jspecify.annotations.NullMarked;
