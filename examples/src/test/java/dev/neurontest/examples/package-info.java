/** One suite for each kind of user: a model team, a CI owner, a kernel developer. */
@NullMarked
package dev.neurontest.examples;

import org.jspecify.annotations.NullMarked;
