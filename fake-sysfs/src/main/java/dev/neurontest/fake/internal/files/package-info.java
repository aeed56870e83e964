/** The files of a host as a program sees them: read, write, list and wait for change, whatever shows them. */
@NullMarked
package dev.neurontest.fake.internal.files;

import org.jspecify.annotations.NullMarked;
