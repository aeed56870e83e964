/** Discovery of the counters of a host: their names and the locations of their files. */
@NullMarked
package dev.neurontest.internal.counter.tree;

import org.jspecify.annotations.NullMarked;
