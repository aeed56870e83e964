/** Whether what is measured now is worse than what was measured before. */
@NullMarked
package dev.neurontest.baseline;

import org.jspecify.annotations.NullMarked;
