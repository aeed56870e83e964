/** Who may use which cores: what is asked for, the lease, quarantine, and why there is no lease. */
@NullMarked
package dev.neurontest.internal.lease;

import org.jspecify.annotations.NullMarked;
