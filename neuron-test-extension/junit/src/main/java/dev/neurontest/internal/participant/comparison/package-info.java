/** What the numbers of a test are compared with. */
@NullMarked
package dev.neurontest.internal.participant.comparison;

import org.jspecify.annotations.NullMarked;
