/** Traces as numbers: the command view, and what it prints, serves and writes. */
@NullMarked
package dev.neurontest.fake.internal.profiler.view;

import org.jspecify.annotations.NullMarked;
