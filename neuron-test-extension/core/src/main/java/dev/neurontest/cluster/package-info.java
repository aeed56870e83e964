/** Tests over several hosts: the hosts of a test, programs on all of them, and their results. */
@NullMarked
package dev.neurontest.cluster;

import org.jspecify.annotations.NullMarked;
