/** What tests demand of a profile, and how it is judged. */
@NullMarked
package dev.neurontest.internal.profile.threshold;

import org.jspecify.annotations.NullMarked;
