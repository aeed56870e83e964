/** Child processes: bounded in time and in what they print, ended as a whole, their secrets kept from the disk. */
@NullMarked
package dev.neurontest.internal.process;

import org.jspecify.annotations.NullMarked;
