/** What killed JVMs of this user have left: processes and temporary folders. Only what names a JVM that certainly is dead is touched. */
@NullMarked
package dev.neurontest.internal.process.orphan;

import org.jspecify.annotations.NullMarked;
