package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test, or all tests of a class, that runs on Neuron hardware or on the fake.
 *
 * <p>Such a test takes what it needs as parameters: a {@link dev.neurontest.device.NeuronCore NeuronCore}, a
 * {@code List<NeuronCore>} with {@link Count}, a {@link dev.neurontest.device.NeuronDevice NeuronDevice}, the
 * {@link dev.neurontest.device.NeuronHost NeuronHost} or the {@link dev.neurontest.counter.Counters Counters} of what it
 * has; {@link dev.neurontest.workload.Workloads Workloads} starts child processes on it. Cores and devices are leased for the
 * test alone, among all test JVMs on the host, and given back after it. In test methods, constructors and
 * {@code @BeforeEach} or {@code @AfterEach} methods the lease is the test's, and equal parameters there mean the same
 * cores; in {@code @BeforeAll} and {@code @AfterAll} methods it is the class's; {@link LeasedPer} makes it last longer.
 *
 * <p>The driver's counters are read before and after. No error counter and no uncorrected ECC counter may have moved on
 * what was leased, unless {@link AllowCounter} says so.
 *
 * <pre>{@code
 * @NeuronTest
 * class ResNetTest {
 *     @Test
 *     @ExpectCounter(value = "inference_count", delta = 100)
 *     void answersAHundredTimes(NeuronCore core) { ... }
 * }
 * }</pre>
 *
 * <p>Without hardware the test is skipped with the reason; {@code neuron.test.platform} chooses the fake or makes
 * hardware a must.
 *
 * <p>JUnit Jupiter has to run the test. On a test of another engine, such as JUnit 4, on a method that is no test, such as
 * {@code @BeforeEach}, and on a test that JUnit does not run, such as a private one, this and all annotations of Neuron Test are an error:
 * the Neuron tests of the class fail, and where it has none, the class fails in the report and so in the gate.
 *
 * <p>Under parallel execution a class that leases in {@code @BeforeAll} runs alone, see {@link NeuronCoreLocks}.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(JUnitCheck.class) // apart and first: an old JUnit cannot load the next one
@ExtendWith(RegisteredExtension.class)
// The provider says what is locked. JUnit before 5.12 knows none, and where no value is given it runs no test at all.
@ResourceLock(value = NeuronCoreLocks.KEY, mode = ResourceAccessMode.READ, providers = NeuronCoreLocks.class)
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface NeuronTest {}
