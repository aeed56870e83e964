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
 * Expects a query on the tables of the profile to return a number within a limit. Without a limit the query must return no rows.
 *
 * <p>Passes for a graph that transposes for 1.2 ms without any lost data; fails for a graph that transposes for 1.8 ms, and shows the
 * rows that the query found:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("model.neff")
 * @ProfileSql(value = "select sum(duration_ns) from instruction where tensor_instruction_type = 'TRANSPOSE'", max = "1.5 ms")
 * @ProfileSql("select * from warning where category = 'Missing Data'")
 * void transposesLittle() { ... }
 * }</pre>
 *
 * <p>The tables are created for this check. {@code org.duckdb:duckdb_jdbc} must be on the test class path. Names are those of the schema of
 * the tool. If the installed tool reports its schema, an unknown name fails the test before anything runs.
 *
 * <p>A limit includes its unit if the column has one, according to the schema or to the ending of its name, such as {@code _ns} or
 * {@code _bytes}. NULL, no row and several rows leave a limit undecided. So do tables that could not be created or read. The expectation
 * applies to each execution and rank. For times the first execution is ignored. On a class the annotation applies to each test.
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
     * Returns the query.
     *
     * @return one SELECT statement
     */
    String value();

    /**
     * Sets the largest accepted number.
     *
     * @return a number with the unit of the column, such as {@code 1.5 ms}; empty if there is no upper limit
     */
    String max() default "";

    /**
     * Sets the smallest accepted number.
     *
     * @return a number with the unit of the column; empty if there is no lower limit
     */
    String min() default "";

    /** Holds several queries on one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * Lists the queries.
         *
         * @return the queries in source order
         */
        ProfileSql[] value();
    }
}
