/** The line commands that drive a fake host: how they are spoken on standard input and on the control socket of a directory host. */
@NullMarked
package dev.neurontest.fake.internal.control;

import org.jspecify.annotations.NullMarked;
