/** How the summary that a tool printed is read. */
@NullMarked
package dev.neurontest.profile.summary;

import org.jspecify.annotations.NullMarked;
