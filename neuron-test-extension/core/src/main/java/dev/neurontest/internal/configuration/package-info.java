/** All settings: names, descriptions, defaults, accepted texts, and origins of values. */
@NullMarked
package dev.neurontest.internal.configuration;

import org.jspecify.annotations.NullMarked;
