/** What is under way in the runtime, and what is open in it. */
@NullMarked
package dev.neurontest.internal.runtime.watch;

import org.jspecify.annotations.NullMarked;
