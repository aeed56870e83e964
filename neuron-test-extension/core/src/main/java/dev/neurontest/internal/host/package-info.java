/** A host is a root directory: reading, writing, listing and awaiting change below it. */
@NullMarked
package dev.neurontest.internal.host;

import org.jspecify.annotations.NullMarked;
