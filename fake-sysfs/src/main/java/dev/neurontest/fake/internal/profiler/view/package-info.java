/** Profiles as numbers: the command view, and its printed, served and written output. */
@NullMarked
package dev.neurontest.fake.internal.profiler.view;

import org.jspecify.annotations.NullMarked;
