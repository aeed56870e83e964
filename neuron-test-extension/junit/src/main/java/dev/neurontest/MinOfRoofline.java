package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Expects the profiled graph to reach a minimum share of its attainable performance in the roofline model. The profiler reports the
 * intensity of the graph (operations for each byte of HBM) and the balance of the machine in the same unit. If the intensity is above the
 * balance, the peak of the engines is attainable. Otherwise the memory bandwidth limits the attainable share of the peak.
 *
 * <p>Passes for a memory-bound graph that reaches 30 % of the peak where the memory allows 40 %; fails for a graph that reaches 20 %:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("resnet50.neff")
 * @MinOfRoofline("70 %")
 * void usesTheMemory(NeuronCore core) { ... }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface MinOfRoofline {

    /**
     * Sets the smallest accepted share.
     *
     * @return a share such as {@code "70 %"}
     */
    String value();
}
