/** The runtime in this JVM: how tests share its cores with those that do not use it, and what they leave open on it. */
@NullMarked
package dev.neurontest.internal.participant.runtime;

import org.jspecify.annotations.NullMarked;
