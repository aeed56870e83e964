/** The shape that the three wings share: a recorder runs around a test, its recording is judged by expectations. */
@NullMarked
package dev.neurontest.recording;

import org.jspecify.annotations.NullMarked;
