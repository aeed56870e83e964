/** Output for a judged profile: the failure, the page, and the JSON. */
@NullMarked
package dev.neurontest.internal.profile.report;

import org.jspecify.annotations.NullMarked;
