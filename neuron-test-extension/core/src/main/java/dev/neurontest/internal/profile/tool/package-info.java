/** The vendor's profiler: where it is found, how it is called, and why a call failed. */
@NullMarked
package dev.neurontest.internal.profile.tool;

import org.jspecify.annotations.NullMarked;
