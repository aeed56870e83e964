/** The examination of a host: missing parts and their solutions. */
@NullMarked
package dev.neurontest.internal.command.doctor;

import org.jspecify.annotations.NullMarked;
