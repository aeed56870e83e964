package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * How many NeuronCores a {@code List<NeuronCore>} parameter wants, and where.
 *
 * <p>{@code @Count(4) List<NeuronCore> cores} gets four logical cores in a row, as the runtime wants them in
 * {@code NEURON_RT_VISIBLE_CORES}. While such a place is free, they lie on as few devices as possible and start at a multiple of 4.
 */
@Target({ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface Count {

    /**
     * How many logical cores.
     *
     * @return at least 1
     */
    int value();

    /**
     * How they lie to each other.
     *
     * @return in a row of logical indices unless something else is asked for
     */
    Placement placement() default Placement.IN_A_ROW;

    /**
     * Whether the program on these cores uses collectives of the runtime. The cores then start at a multiple of their number: the test
     * waits for such cores and takes no others. A number on which the collectives of this family do not run is refused before the body.
     * Where the numbers of a family are not documented, none is refused.
     *
     * @return false unless the cores are for collectives
     */
    boolean collectives() default false;
}
