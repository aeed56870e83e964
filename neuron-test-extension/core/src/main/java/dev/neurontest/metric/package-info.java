/** Descriptions of measured values: name, unit, direction of improvement and variation. */
@NullMarked
package dev.neurontest.metric;

import org.jspecify.annotations.NullMarked;
