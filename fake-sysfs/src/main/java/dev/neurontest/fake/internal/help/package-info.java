/** The layout of lists of commands and flags for people. */
@NullMarked
package dev.neurontest.fake.internal.help;

import org.jspecify.annotations.NullMarked;
