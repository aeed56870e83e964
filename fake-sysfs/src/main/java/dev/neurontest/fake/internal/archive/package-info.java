/**
 * One text file that says what was in a host's files, and how it changed: recorded from any root, read for replay. Its format
 * is described in {@code format.md} beside these classes.
 */
@NullMarked
package dev.neurontest.fake.internal.archive;

import org.jspecify.annotations.NullMarked;
