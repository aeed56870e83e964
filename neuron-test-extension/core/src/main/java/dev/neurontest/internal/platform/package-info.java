/** Which host the tests run on: the devices of this machine, a fake, or a directory. */
@NullMarked
package dev.neurontest.internal.platform;

import org.jspecify.annotations.NullMarked;
