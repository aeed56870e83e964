/** What every command of the host shares: its file, its version, its flags, and its connection to the host. */
@NullMarked
package dev.neurontest.fake.internal.tool;

import org.jspecify.annotations.NullMarked;
