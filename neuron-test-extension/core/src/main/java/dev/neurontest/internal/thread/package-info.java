/** Actions in interrupted threads, such as those of tests after a timeout, and actions on several items with failures. */
@NullMarked
package dev.neurontest.internal.thread;

import org.jspecify.annotations.NullMarked;
