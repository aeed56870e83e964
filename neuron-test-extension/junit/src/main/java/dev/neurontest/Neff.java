package dev.neurontest;

import dev.neurontest.runtime.LoadedModel;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Selects the NEFF of a {@link LoadedModel} parameter. The runtime in this JVM loads the NEFF onto a core of the test and unloads it when
 * the test or the class ends. A test that takes no cores gets one.
 *
 * <p>Passes if the kernel adds correctly, and otherwise fails with the first elements that differ:
 *
 * <pre>{@code
 * @Test
 * void adds(@Neff("build/add.neff") LoadedModel add) {
 *     Outputs outputs = add.execute(Map.of("a", new float[] {1, 2}, "b", new float[] {3, 4}));
 *     assertThat(outputs.tensor("c", "float32", 2)).isEqualTo(new float[] {4, 6});
 * }
 * }</pre>
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface Neff {

    /**
     * Names the file of the compiled model.
     *
     * @return a path relative to the working directory
     */
    String value();

    /**
     * Selects the core of the test onto which the model is loaded. If the test has no cores of its own, the cores of its class are used.
     *
     * @return the position of the core, from 0, in the order of the core indices
     */
    int core() default 0;
}
