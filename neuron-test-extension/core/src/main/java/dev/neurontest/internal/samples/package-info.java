/** Results of other harnesses. Each format has one reader, which decides by the content. */
@NullMarked
package dev.neurontest.internal.samples;

import org.jspecify.annotations.NullMarked;
