/** The host that the tests of one JVM share, and whether its cores are well. */
@NullMarked
package dev.neurontest.life.host;

import org.jspecify.annotations.NullMarked;
