/** Run files of many JVMs become one report. */
@NullMarked
package dev.neurontest.internal.report.merge;

import org.jspecify.annotations.NullMarked;
