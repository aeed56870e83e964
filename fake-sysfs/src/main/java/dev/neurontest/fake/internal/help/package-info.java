/** How lists of commands and of flags are laid out for people. */
@NullMarked
package dev.neurontest.fake.internal.help;

import org.jspecify.annotations.NullMarked;
