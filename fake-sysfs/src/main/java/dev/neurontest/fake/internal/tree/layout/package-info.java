/** Layouts: the paths of each driver release, and the release that matches a recorded host best. */
@NullMarked
package dev.neurontest.fake.internal.tree.layout;

import org.jspecify.annotations.NullMarked;
