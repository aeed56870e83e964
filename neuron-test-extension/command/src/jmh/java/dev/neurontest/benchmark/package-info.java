/** What reading counters and running tests costs, beside what else a project could do. */
@NullMarked
package dev.neurontest.benchmark;

import org.jspecify.annotations.NullMarked;
