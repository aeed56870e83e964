package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * How much the profiled graph has to reach of what the machine lets it reach. Above the balance of the machine (operations for each
 * byte of HBM) that is the peak of its engines, below it what the memory leaves of it; both are the profiler's own.
 *
 * <p>Passes for a memory bound graph that reaches 30 % of the peak where the memory allows 40 %, and fails for one that reaches 20 %:
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
     * The least share that will do.
     *
     * @return such as {@code "70 %"}
     */
    String value();
}
