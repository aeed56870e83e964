/** The hosts of a test over several hosts: their leases, and the programs on them. */
@NullMarked
package dev.neurontest.internal.participant.cluster;

import org.jspecify.annotations.NullMarked;
