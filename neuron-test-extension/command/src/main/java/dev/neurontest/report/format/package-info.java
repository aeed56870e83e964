/** The JSON of a report: records whose components are its members. */
@NullMarked
package dev.neurontest.report.format;

import org.jspecify.annotations.NullMarked;
