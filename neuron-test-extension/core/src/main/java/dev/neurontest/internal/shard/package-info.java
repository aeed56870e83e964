/** The shards of a suite: which one this JVM runs, which classes belong to it, and what tells shards of one run from others. */
@NullMarked
package dev.neurontest.internal.shard;

import org.jspecify.annotations.NullMarked;
