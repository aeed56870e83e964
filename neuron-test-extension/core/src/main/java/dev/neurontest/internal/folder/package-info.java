/** Temporary folders of a JVM. If the JVM is killed, the next one removes them. */
@NullMarked
package dev.neurontest.internal.folder;

import org.jspecify.annotations.NullMarked;
