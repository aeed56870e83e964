/** The command of the runnable jar. */
@NullMarked
package dev.neurontest.fake.internal.command;

import org.jspecify.annotations.NullMarked;
