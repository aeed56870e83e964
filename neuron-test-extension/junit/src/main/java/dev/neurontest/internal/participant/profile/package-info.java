/** What a test is profiled as, by annotations or by itself. */
@NullMarked
package dev.neurontest.internal.participant.profile;

import org.jspecify.annotations.NullMarked;
