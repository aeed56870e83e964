/** Traces as numbers: the commands view and show-session, and what they print, serve and write. */
@NullMarked
package dev.neurontest.fake.profiler.view;

import org.jspecify.annotations.NullMarked;
