package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.TestTemplate;

/**
 * Runs a test, or all tests of a class, once for each Neuron device of the host. {@code NeuronDevice} parameters receive that device,
 * {@code NeuronCore} parameters receive cores of it. On a method the annotation replaces {@code @Test}.
 *
 * <pre>{@code
 * @ForEachDevice
 * void isHealthy(NeuronDevice device) { ... }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@TestTemplate
@ClassTemplate
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ForEachDevice {}
