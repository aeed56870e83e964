/** Subjects of assertions, with the data that failure messages need. */
@NullMarked
package dev.neurontest.internal.assertj;

import org.jspecify.annotations.NullMarked;
