/** Private folders of a JVM, which the next one removes when this one was killed. */
@NullMarked
package dev.neurontest.fake.internal.folder;

import org.jspecify.annotations.NullMarked;
