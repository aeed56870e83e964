/** The JSON of a report: records whose components are its members. */
@NullMarked
package dev.neurontest.internal.report.format;

import org.jspecify.annotations.NullMarked;
