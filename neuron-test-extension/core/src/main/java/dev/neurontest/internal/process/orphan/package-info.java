/** Processes of this user left by killed JVMs. Only processes of a JVM that is certainly dead are ended. */
@NullMarked
package dev.neurontest.internal.process.orphan;

import org.jspecify.annotations.NullMarked;
