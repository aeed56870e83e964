/** Child processes that a test starts on its cores. */
@NullMarked
package dev.neurontest.internal.participant.workload;

import org.jspecify.annotations.NullMarked;
