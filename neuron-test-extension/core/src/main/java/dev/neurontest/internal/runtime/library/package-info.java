/** Search, loading and functions of the library libnrt. */
@NullMarked
package dev.neurontest.internal.runtime.library;

import org.jspecify.annotations.NullMarked;
