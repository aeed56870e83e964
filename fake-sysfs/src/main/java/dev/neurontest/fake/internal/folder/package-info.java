/** Private folders of a JVM. If the JVM was killed, the next one deletes them. */
@NullMarked
package dev.neurontest.fake.internal.folder;

import org.jspecify.annotations.NullMarked;
