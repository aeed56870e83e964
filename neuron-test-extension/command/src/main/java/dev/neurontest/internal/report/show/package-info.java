/** Views of a run as text, as Markdown and as JSON. */
@NullMarked
package dev.neurontest.internal.report.show;

import org.jspecify.annotations.NullMarked;
