/** The assignment of cores to tests: the queue, the placements on the host, quarantine, and the detection of ended JVMs. */
@NullMarked
package dev.neurontest.internal.lease.table;

import org.jspecify.annotations.NullMarked;
