/**
 * The agent of a host, and the connection of a test JVM to it. The agent reads calls from its standard input and writes answers to its
 * standard output. When its input ends, it ends its programs and releases its leases.
 */
@NullMarked
package dev.neurontest.internal.cluster.agent;

import org.jspecify.annotations.NullMarked;
