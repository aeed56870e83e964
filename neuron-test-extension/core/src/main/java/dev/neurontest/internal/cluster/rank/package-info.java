/** The ranks of a workload on several hosts: their variables, their common end, and the rank that explains a failure. */
@NullMarked
package dev.neurontest.internal.cluster.rank;

import org.jspecify.annotations.NullMarked;
