/** Scripts of the fake host, as the lifecycle of a test sees them. */
@NullMarked
package dev.neurontest.fake.internal.script;

import org.jspecify.annotations.NullMarked;
