/** The environment of workloads and the messages about failed ones. */
@NullMarked
package dev.neurontest.internal.workload;

import org.jspecify.annotations.NullMarked;
