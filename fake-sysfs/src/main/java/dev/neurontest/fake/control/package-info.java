/** Line commands that drive a fake host, on standard input and on the control socket of a directory host. */
@NullMarked
package dev.neurontest.fake.control;

import org.jspecify.annotations.NullMarked;
