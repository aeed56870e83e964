/** The table of leases as JVMs share it: its state, its files, and who is alive. */
@NullMarked
package dev.neurontest.internal.lease.store;

import org.jspecify.annotations.NullMarked;
