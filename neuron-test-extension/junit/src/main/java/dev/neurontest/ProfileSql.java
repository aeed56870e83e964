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
 * What a query must find in the tables of the test's profile. With a limit it finds one number; without one, it must find no rows.
 *
 * <p>Passes for a graph that transposes for 1.2 ms without any lost data, and fails for one that transposes for 1.8 ms, with the rows
 * that were found:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("model.neff")
 * @ProfileSql(value = "select sum(duration_ns) from instruction where opcode = 'TRANSPOSE'", max = "1.5 ms")
 * @ProfileSql("select * from warning where category = 'Missing Data'")
 * void transposesLittle() { ... }
 * }</pre>
 *
 * <p>The tables are made for it; {@code org.duckdb:duckdb_jdbc} has to be on the class path of the tests. Names are those of the
 * tool's schema. Where the installed tool tells its schema, a name that it does not have fails the test before anything runs.
 *
 * <p>A limit states its unit where the column has one: by the schema, or by the ending of its name, such as {@code _ns} or
 * {@code _bytes}. NULL, no row and several rows keep no limit: they leave it undecided, as tables do that could not be made or read.
 * The demand holds for each execution and rank. A first execution is left out of what is a time. On a class it holds for each test.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(ProfileSql.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ProfileSql {

    /**
     * The query.
     *
     * @return one SELECT
     */
    String value();

    /**
     * The largest number that will do.
     *
     * @return with the unit of the column, such as {@code 1.5 ms}; empty when there is no upper limit
     */
    String max() default "";

    /**
     * The smallest number that will do.
     *
     * @return with the unit of the column; empty when there is no lower limit
     */
    String min() default "";

    /** Several of them on one test. */
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
        ProfileSql[] value();
    }
}
