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
 * How many tensors a kernel must have printed with {@code device_print} under a prefix when the test is over.
 *
 * <p>Passes when each of four tiles was printed, fails with what did arrive when there were three:
 *
 * <pre>{@code
 * @Test
 * @ExpectPrint(prefix = "acc", count = 4)
 * void printsEachTile(@Neff("build/tiles.neff") LoadedModel tiles) {
 *     tiles.execute(Map.of());
 * }
 * }</pre>
 *
 * <p>Where prints are known to be lost, or could not be read at all, a demand that they could have met is undecided, and
 * {@code neuron.test.undecided} says what becomes of that. On a class it holds for each test; a method's own demand on the
 * same prefix wins.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(ExpectPrint.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ExpectPrint {

    /** No number is given. */
    int NOT_SET = -1;

    /**
     * What the kernel calls it: the literal given to {@code device_print}.
     *
     * @return exactly that
     */
    String prefix();

    /**
     * How many there must be, over all cores of the test.
     *
     * @return {@link #NOT_SET} when {@link #min()} or {@link #max()} say it, or any number but 0 will do
     */
    int count() default NOT_SET;

    /**
     * The smallest number that will do.
     *
     * @return {@link #NOT_SET} when there is no lower bound
     */
    int min() default NOT_SET;

    /**
     * The largest number that will do.
     *
     * @return {@link #NOT_SET} when there is no upper bound
     */
    int max() default NOT_SET;

    /**
     * Whether a NaN in one of them fails the test.
     *
     * @return false when it is only mentioned
     */
    boolean noNaN() default false;

    /** Several demands on one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * The demands.
         *
         * @return in the order of the source
         */
        ExpectPrint[] value();
    }
}
