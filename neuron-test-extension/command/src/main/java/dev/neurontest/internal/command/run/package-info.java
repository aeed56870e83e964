/** A JVM of the user's tests, with the user's JUnit: how it is started, what runs in it, and what came of it. */
@NullMarked
package dev.neurontest.internal.command.run;

import org.jspecify.annotations.NullMarked;
