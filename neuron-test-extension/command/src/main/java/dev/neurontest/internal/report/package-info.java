/** Results of a run over all its JVMs, merged from their run files, and their views. */
@NullMarked
package dev.neurontest.internal.report;

import org.jspecify.annotations.NullMarked;
