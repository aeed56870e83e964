/** Running calls and open resources of the runtime. */
@NullMarked
package dev.neurontest.internal.runtime.watch;

import org.jspecify.annotations.NullMarked;
