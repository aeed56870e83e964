/** Input files that users name, and their limits. */
@NullMarked
package dev.neurontest.internal.file;

import org.jspecify.annotations.NullMarked;
