/** The JSON format of a report. Its members are the components of records. */
@NullMarked
package dev.neurontest.internal.report.format;

import org.jspecify.annotations.NullMarked;
