/** {@code assertThat} for what the three wings record. */
@NullMarked
package dev.neurontest.assertj;

import org.jspecify.annotations.NullMarked;
