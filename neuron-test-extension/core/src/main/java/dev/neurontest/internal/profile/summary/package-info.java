/** How the summary that a tool printed is read. */
@NullMarked
package dev.neurontest.internal.profile.summary;

import org.jspecify.annotations.NullMarked;
