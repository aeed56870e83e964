/** Formatters of durations, counts, similar names and tables for messages. */
@NullMarked
package dev.neurontest.internal.text;

import org.jspecify.annotations.NullMarked;
