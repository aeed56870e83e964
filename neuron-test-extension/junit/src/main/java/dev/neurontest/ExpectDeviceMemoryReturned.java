package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Expects the device memory of the leased cores to return to its value before the test. If a class leases cores for all its tests, the
 * memory must also be back when the class ends. That is checked after the child processes of the class have ended.
 *
 * <p>Passes if the test frees its allocations; fails with the memory categories that grew if 2 MiB of tensors remain:
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
     * Sets the amount of memory that may remain on each core. Drivers before 2.30.2 keep one page of 4096 bytes at each reset.
     *
     * @return a size with its unit, such as {@code "64 KiB"}
     */
    String tolerance() default "0 B";
}
