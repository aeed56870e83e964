/** The host that the tests of one JVM share, and the health of its cores. */
@NullMarked
package dev.neurontest.internal.lifecycle.host;

import org.jspecify.annotations.NullMarked;
