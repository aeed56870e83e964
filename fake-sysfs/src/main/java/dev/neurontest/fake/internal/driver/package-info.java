/** The driver's state and rules in memory: counters, datastores, reset. The truth that every view shows. */
@NullMarked
package dev.neurontest.fake.internal.driver;

import org.jspecify.annotations.NullMarked;
