/** Which counters a host has: their names, and where their files stand. */
@NullMarked
package dev.neurontest.internal.counter.tree;

import org.jspecify.annotations.NullMarked;
