/** The start, the content and the results of a JVM that runs the user's tests with the user's JUnit. */
@NullMarked
package dev.neurontest.internal.command.run;

import org.jspecify.annotations.NullMarked;
