/** The host that the tests of one JVM share, and whether its cores are well. */
@NullMarked
package dev.neurontest.internal.lifecycle.host;

import org.jspecify.annotations.NullMarked;
