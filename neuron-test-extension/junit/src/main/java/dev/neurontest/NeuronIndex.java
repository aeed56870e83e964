package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Requests particular cores or a particular device by index.
 *
 * <p>On a {@code NeuronCore} or {@code List<NeuronCore>} parameter these are logical indices of the host, the numbers of
 * {@code NEURON_RT_VISIBLE_CORES}. On a {@code NeuronDevice} parameter it is the number of {@code /dev/neuronN}.
 */
@Target({ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface NeuronIndex {

    /**
     * Lists the indices, from 0.
     *
     * @return one index, or one for each requested core of a list
     */
    int[] value();
}
