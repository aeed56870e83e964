package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * How long the cores of a parameter stay leased, where that is not for what the parameter belongs to: the test for a test
 * method, a constructor, {@code @BeforeEach} and {@code @AfterEach}; the class for {@code @BeforeAll} and {@code @AfterAll}.
 *
 * <pre>{@code
 * @Test
 * void usesTheModelThatWasLoadedOnce(@LeasedPer(LeaseScope.SESSION) @Count(2) List<NeuronCore> cores) { ... }
 * }</pre>
 *
 * <p>Equal parameters of one scope are the same cores. The counters of all cores that a test takes are judged around it.
 */
@Target({ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface LeasedPer {

    /**
     * How long.
     *
     * @return the scope
     */
    LeaseScope value();
}
