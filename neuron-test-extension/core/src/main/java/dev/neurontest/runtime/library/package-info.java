/** The library libnrt: where it is found, and its functions. */
@NullMarked
package dev.neurontest.runtime.library;

import org.jspecify.annotations.NullMarked;
