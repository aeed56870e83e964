/** Every setting in one place: its name, meaning, default, what it accepts, and where its value came from. */
@NullMarked
package dev.neurontest.internal.configuration;

import org.jspecify.annotations.NullMarked;
