package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * The device memory of the leased cores must be back where it was before the test. On a class that leases cores for all its
 * tests it must also be back when the class ends, which is after its child processes have ended.
 *
 * <p>Passes when what was allocated was freed, fails with the categories that grew when 2 MiB of tensors stayed behind:
 *
 * <pre>{@code
 * @Test
 * @ExpectDeviceMemoryReturned(tolerance = "64 KiB")
 * void freesItsTensors(NeuronCore core) { ... }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ExpectDeviceMemoryReturned {

    /**
     * How much more may remain on each core. Drivers before 2.30.2 leave one page of 4096 bytes behind at each reset.
     *
     * @return a size with its unit, such as {@code "64 KiB"}
     */
    String tolerance() default "0 B";
}
