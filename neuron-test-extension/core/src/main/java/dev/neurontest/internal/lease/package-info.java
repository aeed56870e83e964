/** Requests for cores, leases, quarantine, and the reasons for refused leases. */
@NullMarked
package dev.neurontest.internal.lease;

import org.jspecify.annotations.NullMarked;
