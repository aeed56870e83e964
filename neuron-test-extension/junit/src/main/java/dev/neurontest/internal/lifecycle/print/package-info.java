/** What kernels print while a test runs. */
@NullMarked
package dev.neurontest.internal.lifecycle.print;

import org.jspecify.annotations.NullMarked;
