/** Merge of the run files of many JVMs into one report. */
@NullMarked
package dev.neurontest.internal.report.merge;

import org.jspecify.annotations.NullMarked;
