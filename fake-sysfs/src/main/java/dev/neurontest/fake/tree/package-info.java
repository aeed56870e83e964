/** How the driver's state is seen: the attributes of each layout and the views of them. */
@NullMarked
package dev.neurontest.fake.tree;

import org.jspecify.annotations.NullMarked;
