/** Child processes: limited in time and output, ended with their descendants, and with masked secrets in their files. */
@NullMarked
package dev.neurontest.internal.process;

import org.jspecify.annotations.NullMarked;
