/** The runtime in this JVM: how tests share its cores with other tests, and the resources that tests leave open on it. */
@NullMarked
package dev.neurontest.internal.participant.runtime;

import org.jspecify.annotations.NullMarked;
