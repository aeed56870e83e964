package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Requests a number of NeuronCores, and optionally their placement, for a {@code List<NeuronCore>} parameter.
 *
 * <p>{@code @Count(4) List<NeuronCore> cores} receives four logical cores with consecutive indices, as {@code NEURON_RT_VISIBLE_CORES}
 * requires. If possible, the cores use as few devices as possible and start at a multiple of 4.
 */
@Target({ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface Count {

    /**
     * Sets the number of logical cores.
     *
     * @return at least 1
     */
    int value();

    /**
     * Selects the placement of the cores relative to each other.
     *
     * @return consecutive logical indices by default
     */
    Placement placement() default Placement.IN_A_ROW;

    /**
     * Returns whether the program on these cores uses collectives of the runtime. If true, the first core index is a multiple of the number
     * of cores. The test waits for such cores and takes no others. A number of cores on which the collectives of this device family do not
     * run is rejected before the body. If the numbers for a family are not documented, no number is rejected.
     *
     * @return false unless the cores are for collectives
     */
    boolean collectives() default false;
}
