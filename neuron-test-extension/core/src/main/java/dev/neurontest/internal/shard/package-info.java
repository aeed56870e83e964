/** The shards of a suite: the shard of this JVM, the assignment of classes, and the identification of the shards of a run. */
@NullMarked
package dev.neurontest.internal.shard;

import org.jspecify.annotations.NullMarked;
