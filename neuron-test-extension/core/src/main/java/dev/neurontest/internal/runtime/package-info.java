/** Search for libnrt, and the errors when it cannot be used. */
@NullMarked
package dev.neurontest.internal.runtime;

import org.jspecify.annotations.NullMarked;
