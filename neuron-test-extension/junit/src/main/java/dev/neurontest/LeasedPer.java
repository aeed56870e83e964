package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Sets how long the cores of a parameter stay leased. By default, parameters of a test method, a constructor, {@code @BeforeEach} and
 * {@code @AfterEach} are leased for the test. Parameters of {@code @BeforeAll} and {@code @AfterAll} are leased for the class.
 *
 * <pre>{@code
 * @Test
 * void usesTheModelThatWasLoadedOnce(@LeasedPer(LeaseScope.SESSION) @Count(2) List<NeuronCore> cores) { ... }
 * }</pre>
 *
 * <p>Equal parameters in one scope receive the same cores. The counters of all cores that a test takes are checked around that test.
 */
@Target({ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface LeasedPer {

    /**
     * Sets the duration of the lease.
     *
     * @return the scope
     */
    LeaseScope value();
}
