/** Profiles of a test, requested by annotations or created by the test itself. */
@NullMarked
package dev.neurontest.internal.participant.profile;

import org.jspecify.annotations.NullMarked;
