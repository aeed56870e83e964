/** What runtime and framework did around the device, and when: events of host and device in one time, what they took, and demands on them. */
@NullMarked
package dev.neurontest.profile.system;

import org.jspecify.annotations.NullMarked;
