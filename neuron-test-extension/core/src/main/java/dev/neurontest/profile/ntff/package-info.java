/** The head of a trace (NTFF). */
@NullMarked
package dev.neurontest.profile.ntff;

import org.jspecify.annotations.NullMarked;
