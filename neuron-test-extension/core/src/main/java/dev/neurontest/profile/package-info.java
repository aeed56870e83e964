/** The profiler's measurements on the device: profiles, their executions and metrics, and doubts about them. */
@NullMarked
package dev.neurontest.profile;

import org.jspecify.annotations.NullMarked;
