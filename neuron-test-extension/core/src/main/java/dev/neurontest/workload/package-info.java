/** Programs in any language on leased cores, with a correct environment, complete termination and stored output. */
@NullMarked
package dev.neurontest.workload;

import org.jspecify.annotations.NullMarked;
