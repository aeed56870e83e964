/** AssertJ assertions for counters, profiles, device prints and tensors. */
@NullMarked
package dev.neurontest.assertj;

import org.jspecify.annotations.NullMarked;
