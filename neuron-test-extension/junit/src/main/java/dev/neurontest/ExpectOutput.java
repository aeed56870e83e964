package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Expects the outputs of the models that the annotated test executes in its JVM, or captures with the profiler, to be written, and neither
 * all zero, nor constant, NaN or infinite. With a golden, it expects their values.
 *
 * <p>Passes if {@code y} has the values of the file; fails if it has others, another dtype or shape, or was not written:
 *
 * <pre>{@code
 * @Test
 * @ExpectOutput(value = "y", golden = "golden/y.npy", tolerance = "1e-3 + 1 %")
 * void matchesReference(@Neff("build/attention.neff") LoadedModel attention) {
 *     attention.execute(Map.of("x", x));
 * }
 * }</pre>
 *
 * <p>Every execution counts, on every core. Of {@code runMany}, the last execution counts, because reading outputs would change the times
 * of the others. Each output is filled with a byte before it is written, to find one that was not. Of a capture, the traced executions
 * count; the profiler saves their outputs without a dtype and a shape, which the golden or {@link #dtype()} gives.
 *
 * <p>An expectation is undecided if no model was executed, or an output could not be read. {@code neuron.test.undecided} decides how that
 * is reported. On a class the annotation applies to each test. An annotation on a method overrides that of its class for the same output.
 * An annotation for a named output overrides one for every output.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(ExpectOutput.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ExpectOutput {

    /**
     * Names the output.
     *
     * @return the name in the model; empty for every output without an annotation of its own
     */
    String value() default "";

    /**
     * Names the file with the expected values. It is read before the test begins. A file with only zeros, equal values or NaN is refused,
     * because wrong outputs would match it.
     *
     * @return the path of a {@code .npy} file, relative to the working directory; empty for none
     */
    String golden() default "";

    /**
     * Sets the allowed difference from the golden.
     *
     * @return such as {@code exact}, {@code 1e-3}, {@code 1 %}, {@code 1e-3 + 1 %} or {@code 2 ULP}
     */
    String tolerance() default "exact";

    /**
     * Sets the dtype of the output. It is also the dtype of the values if the runtime reports none.
     *
     * @return such as {@code bfloat16}; empty for that of the golden, or of the runtime
     */
    String dtype() default "";

    /**
     * Lists contents that are right for this output.
     *
     * @return such as {@code ZEROS} for an output that is zero by intention
     */
    Allowed[] allow() default {};

    /**
     * Returns whether executions with the same inputs must have the same bytes in this output. The test has to execute them.
     *
     * @return false to not compare executions
     */
    boolean same() default false;

    /** Contents of an output that fail a test unless it allows them. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    enum Allowed {
        /** Elements that no execution wrote, or that may be unwritten. */
        UNWRITTEN,
        /** Only zeros. */
        ZEROS,
        /** The same value in all elements. */
        CONSTANT,
        /** NaN values. */
        NAN,
        /** Infinite values. */
        INFINITY
    }

    /** Holds several output expectations on one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * Lists the expectations.
         *
         * @return the expectations in source order
         */
        ExpectOutput[] value();
    }
}
