/** The types common to all kinds of measurements: expectations judge a measurement of a test. */
@NullMarked
package dev.neurontest.internal.judgement;

import org.jspecify.annotations.NullMarked;
