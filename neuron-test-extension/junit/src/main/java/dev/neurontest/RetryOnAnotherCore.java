package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A test, instead of {@code @Test}, that is run again on other cores when it failed and its cores went into quarantine, and only
 * then: a status that the hardware may have caused, an uncorrected ECC error, a device that vanished or did not come back from a
 * reset, a body that outlived its timeout, or a program that was killed on the core. A demand that was broken for any other reason,
 * or an exception of the test's own, fails at once; so does whatever {@code @BeforeEach} and {@code @AfterEach} methods throw.
 *
 * <p>A free core of another device is preferred. The same status there means that the kernel is to blame: cores that were only
 * suspect come back, and there is no further attempt. Where no other device could be tried, the failure says so.
 *
 * <p>The attempt that failed is reported as aborted with its failure, its attachments stay, and the run's summary counts it for
 * its cores. {@code neuron.test.retry=false} turns all of it off.
 *
 * <pre>{@code
 * @RetryOnAnotherCore
 * void answers(NeuronCore core) { ... }
 * }</pre>
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@NeuronTest
@TestTemplate
@Execution(ExecutionMode.SAME_THREAD)
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface RetryOnAnotherCore {

    /**
     * How many more attempts there may be.
     *
     * @return at least 1
     */
    int times() default 1;
}
