/** The host of the tests: the devices of this machine, a fake, a recording, or a directory. */
@NullMarked
package dev.neurontest.internal.platform;

import org.jspecify.annotations.NullMarked;
