/** The hosts of an allocation, and the commands that start a program on one of them. */
@NullMarked
package dev.neurontest.internal.cluster;

import org.jspecify.annotations.NullMarked;
