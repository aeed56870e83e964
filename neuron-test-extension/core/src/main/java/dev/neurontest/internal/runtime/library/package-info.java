/** The library libnrt: where it is found, and its functions. */
@NullMarked
package dev.neurontest.internal.runtime.library;

import org.jspecify.annotations.NullMarked;
