/**
 * One text file with the content of a host's files and their changes. It is recorded from any root and read for replay. Its format
 * is described in {@code format.md} next to these classes.
 */
@NullMarked
package dev.neurontest.fake.internal.archive;

import org.jspecify.annotations.NullMarked;
