/** Programs of any language on leased cores: started with the right environment, ended as a whole, their output kept. */
@NullMarked
package dev.neurontest.workload;

import org.jspecify.annotations.NullMarked;
