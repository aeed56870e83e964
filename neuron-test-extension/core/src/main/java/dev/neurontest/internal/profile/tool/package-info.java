/** The vendor's profiler: its discovery, its calls, and the reasons of failed calls. */
@NullMarked
package dev.neurontest.internal.profile.tool;

import org.jspecify.annotations.NullMarked;
