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
 * Marks a test, or all tests of a class, that runs on Neuron hardware or on the fake.
 *
 * <p>Such a test takes its resources as parameters: a {@link dev.neurontest.device.NeuronCore NeuronCore}, a {@code List<NeuronCore>} with
 * {@link Count}, a {@link dev.neurontest.device.NeuronDevice NeuronDevice}, the {@link dev.neurontest.device.NeuronHost NeuronHost} or the
 * {@link dev.neurontest.counter.Counters Counters} of its resources. {@link dev.neurontest.workload.Workloads Workloads} starts child
 * processes on them. Cores and devices are leased exclusively for the test among all test JVMs on the host, and released after it. In test
 * methods, constructors and {@code @BeforeEach} or {@code @AfterEach} methods the lease belongs to the test, and equal parameters mean the
 * same cores. In {@code @BeforeAll} and {@code @AfterAll} methods the lease belongs to the class. {@link LeasedPer} extends a lease.
 *
 * <p>The driver counters are read before and after the test. No error counter and no uncorrected ECC counter of the leased resources may
 * change, unless {@link AllowCounter} permits it.
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
 * <p>Without hardware the test is skipped with the reason. {@code neuron.test.platform} selects the fake or makes hardware mandatory.
 *
 * <p>JUnit Jupiter must run the test. All annotations of Neuron Test are an error on a test of another engine, such as JUnit 4. They are
 * also an error on a method that is no test, such as {@code @BeforeEach}, and on a test that JUnit does not run, such as a private method.
 * The Neuron tests of the class then fail. If the class has none, the class fails in the report and in the gate.
 *
 * <p>Under parallel execution a class that leases cores in {@code @BeforeAll} runs alone, see {@link NeuronCoreLocks}.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(JUnitCheck.class) // separate and first: an old JUnit cannot load the next extension
@ExtendWith(RegisteredExtension.class)
// The provider defines the locks. JUnit before 5.12 supports no providers, and without a value it would not run any
// test.
@ResourceLock(value = NeuronCoreLocks.KEY, mode = ResourceAccessMode.READ, providers = NeuronCoreLocks.class)
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface NeuronTest {}
