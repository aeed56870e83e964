/** Actions in threads that are interrupted, as those of tests are after their timeout, and several actions of which some fail. */
@NullMarked
package dev.neurontest.internal.thread;

import org.jspecify.annotations.NullMarked;
