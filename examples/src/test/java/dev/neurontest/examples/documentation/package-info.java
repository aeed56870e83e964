/** Tests that compare the documentation with the code and its behavior. */
@NullMarked
package dev.neurontest.examples.documentation;

import org.jspecify.annotations.NullMarked;
