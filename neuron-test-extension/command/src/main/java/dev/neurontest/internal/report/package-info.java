/** What happened in a run over all its JVMs, merged from their run files, and its views. */
@NullMarked
package dev.neurontest.internal.report;

import org.jspecify.annotations.NullMarked;
