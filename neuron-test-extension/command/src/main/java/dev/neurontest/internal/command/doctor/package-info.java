/** What is missing on a host, and what to do about it. */
@NullMarked
package dev.neurontest.internal.command.doctor;

import org.jspecify.annotations.NullMarked;
