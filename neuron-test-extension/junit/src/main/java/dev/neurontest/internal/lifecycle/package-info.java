/** The lifecycle of tests: callbacks of JUnit, the session of the JVM, and the order of steps from the lease to the release. */
@NullMarked
package dev.neurontest.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
