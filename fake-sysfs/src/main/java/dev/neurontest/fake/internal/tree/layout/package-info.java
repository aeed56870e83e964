/** What a release of the driver shows where, and which release is nearest to a recorded host. */
@NullMarked
package dev.neurontest.fake.internal.tree.layout;

import org.jspecify.annotations.NullMarked;
