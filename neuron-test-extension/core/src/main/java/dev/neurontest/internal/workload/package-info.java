/** Environment of workloads, and messages about failed ones. */
@NullMarked
package dev.neurontest.internal.workload;

import org.jspecify.annotations.NullMarked;
