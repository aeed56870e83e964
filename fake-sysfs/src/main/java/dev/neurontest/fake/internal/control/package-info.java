/** The line commands that control a fake host, on standard input and on the control socket of a host with a directory. */
@NullMarked
package dev.neurontest.fake.internal.control;

import org.jspecify.annotations.NullMarked;
