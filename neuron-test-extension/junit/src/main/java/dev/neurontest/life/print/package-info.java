/** What kernels print while a test runs. */
@NullMarked
package dev.neurontest.life.print;

import org.jspecify.annotations.NullMarked;
