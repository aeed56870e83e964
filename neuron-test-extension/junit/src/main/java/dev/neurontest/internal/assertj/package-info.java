/** Values that assertions check, with what their messages need. */
@NullMarked
package dev.neurontest.internal.assertj;

import org.jspecify.annotations.NullMarked;
