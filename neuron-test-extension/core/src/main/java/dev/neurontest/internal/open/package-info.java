/** An open host: its platform, lease table and counters, and the health of its cores. */
@NullMarked
package dev.neurontest.internal.open;

import org.jspecify.annotations.NullMarked;
