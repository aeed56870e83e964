/** How pages are made: templates that escape what they show, one style, and no need of anything else. */
@NullMarked
package dev.neurontest.internal.page;

import org.jspecify.annotations.NullMarked;
