/** The shared table of leases: its state, its files, and the detection of ended JVMs. */
@NullMarked
package dev.neurontest.internal.lease.store;

import org.jspecify.annotations.NullMarked;
