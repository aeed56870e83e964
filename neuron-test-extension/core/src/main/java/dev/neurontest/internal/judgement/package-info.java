/** The shape that the three wings share: what is seen around a test is a recording, which expectations judge. */
@NullMarked
package dev.neurontest.internal.judgement;

import org.jspecify.annotations.NullMarked;
