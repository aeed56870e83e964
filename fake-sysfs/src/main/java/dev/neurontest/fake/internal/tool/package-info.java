/** Parts that all commands of a host share: their files, versions, flags, and their connection to the host. */
@NullMarked
package dev.neurontest.fake.internal.tool;

import org.jspecify.annotations.NullMarked;
