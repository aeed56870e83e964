/** The child processes that a test starts on its cores. */
@NullMarked
package dev.neurontest.life.workload;

import org.jspecify.annotations.NullMarked;
