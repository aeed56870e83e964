/** The files of a host from the perspective of a program: read, write, list and wait for change, in any view. */
@NullMarked
package dev.neurontest.fake.internal.files;

import org.jspecify.annotations.NullMarked;
