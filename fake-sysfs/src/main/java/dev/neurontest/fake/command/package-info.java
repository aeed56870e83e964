/** The command of the runnable jar. */
@NullMarked
package dev.neurontest.fake.command;

import org.jspecify.annotations.NullMarked;
