/** Who may use which cores: requests, and leases that no two holders have at the same time. */
@NullMarked
package dev.neurontest.lease;

import org.jspecify.annotations.NullMarked;
