/** The files of a host below a root directory: reading, writing, listing and waiting for changes. */
@NullMarked
package dev.neurontest.internal.host;

import org.jspecify.annotations.NullMarked;
