package dev.neurontest;

import dev.neurontest.runtime.LoadedModel;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Which NEFF a {@link LoadedModel} is. The runtime in this JVM loads it onto a core of the test and unloads it when the test, or the class,
 * is over. A test that takes no cores gets one.
 *
 * <p>Passes when the kernel adds, fails with the first elements that differ when it does not:
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
     * The compiled model.
     *
     * @return a path, seen from the working directory
     */
    String value();

    /**
     * Which of the cores of the test it is loaded onto. Those of its class count where the test has none of its own.
     *
     * @return counted from 0, in the order of their indices
     */
    int core() default 0;
}
