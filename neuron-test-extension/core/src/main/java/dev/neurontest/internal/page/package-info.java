/** Templates of self-contained pages. They escape their values and share one style. */
@NullMarked
package dev.neurontest.internal.page;

import org.jspecify.annotations.NullMarked;
