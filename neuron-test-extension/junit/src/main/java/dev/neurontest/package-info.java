/** What a test imports: the annotations, and the extension that turns them into leased cores and judged recordings. */
@NullMarked
package dev.neurontest;

import org.jspecify.annotations.NullMarked;
