/** Input files that users name, and their limits. */
@NullMarked
package dev.neurontest.file;

import org.jspecify.annotations.NullMarked;
