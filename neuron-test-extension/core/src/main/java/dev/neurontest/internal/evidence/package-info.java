/** The results of a run: the run file, attachments to JUnit and Allure, and the summary at the end of the JVM. */
@NullMarked
package dev.neurontest.internal.evidence;

import org.jspecify.annotations.NullMarked;
