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
 * Runs a test again on other cores if it failed and its cores went into quarantine. The annotation replaces {@code @Test}. Reasons for a
 * quarantine are:
 *
 * <ul>
 * <li>a status that the hardware may have caused
 * <li>an uncorrected ECC error
 * <li>a device that vanished or did not return from a reset
 * <li>a body that continued after its timeout
 * <li>a program that was killed on the core
 * </ul>
 *
 * <p>An expectation that was violated for any other reason fails the test at once. So does an exception from the test itself, or from a
 * {@code @BeforeEach} or {@code @AfterEach} method.
 *
 * <p>A free core of another device is preferred. The same status on another device means that the kernel caused it. Cores that were only
 * suspect are then released from quarantine, and there is no further attempt. If no other device was available, the failure message
 * mentions it.
 *
 * <p>The failed attempt is reported as aborted with its failure, and its attachments are kept. The summary of the run counts the attempt
 * for its cores. {@code neuron.test.retry=false} disables all of this.
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
     * Sets the maximum number of additional attempts.
     *
     * @return at least 1
     */
    int times() default 1;
}
