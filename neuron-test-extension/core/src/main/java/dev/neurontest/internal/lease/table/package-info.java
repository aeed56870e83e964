/** Who gets which cores: the queue, the places on the host, quarantine, and JVMs that have ended. */
@NullMarked
package dev.neurontest.internal.lease.table;

import org.jspecify.annotations.NullMarked;
