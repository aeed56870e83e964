/** The nodes of each driver, and the most similar driver of a host. */
@NullMarked
package dev.neurontest.internal.device.driver;

import org.jspecify.annotations.NullMarked;
