/** The child processes that a test starts on its cores. */
@NullMarked
package dev.neurontest.internal.lifecycle.workload;

import org.jspecify.annotations.NullMarked;
