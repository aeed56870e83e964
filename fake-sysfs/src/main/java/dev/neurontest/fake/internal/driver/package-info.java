/** The state and rules of the driver in memory: counters, datastores and resets. Every view shows this state. */
@NullMarked
package dev.neurontest.fake.internal.driver;

import org.jspecify.annotations.NullMarked;
