/** Where each driver has its nodes, and which driver a host looks like. */
@NullMarked
package dev.neurontest.internal.device.driver;

import org.jspecify.annotations.NullMarked;
