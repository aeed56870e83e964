package dev.neurontest.internal.profile.threshold;

import dev.neurontest.internal.profile.table.RowsExpectation;
import dev.neurontest.metric.Fraction;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Frequent expectations for the tables of a profile. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfileQueries {

    private ProfileQueries() {}

    /**
     * Creates an expectation of no warnings of the tool about the profile.
     *
     * @param categories the categories that count; all categories when empty
     * @param words the text of the user
     */
    public static SqlExpectation noWarnings(List<String> categories, String words) {
        return new SqlExpectation(
                "warnings of the profiler",
                "SELECT category, message, count(*) AS warnings FROM Warning%s GROUP BY ALL ORDER BY ALL"
                        .formatted(
                                categories.isEmpty()
                                        ? ""
                                        : " WHERE lower(category) IN (%s)"
                                                .formatted(categories.stream()
                                                        .map(category -> literal(category.toLowerCase(Locale.ROOT)))
                                                        .collect(Collectors.joining(", ")))),
                RowsExpectation.rows(0),
                words);
    }

    /**
     * Creates an expectation of no hardware errors.
     *
     * @param words the text of the user
     */
    public static SqlExpectation noHardwareErrors(String words) {
        return new SqlExpectation(
                "hardware errors in the profile",
                "SELECT error_type_id, description, count(*) AS errors FROM Error WHERE lower(type) = 'errors' GROUP BY ALL ORDER BY ALL",
                RowsExpectation.rows(0),
                words);
    }

    /**
     * Creates an expectation that limits the time for which each throttle slowed a core down. A missing share of the time counts as all of
     * the time.
     *
     * @param max the largest allowed share of the time
     * @param words the text of the user
     */
    public static SqlExpectation throttledAtMost(Fraction max, String words) {
        return new SqlExpectation(
                "throttling",
                "SELECT nc_idx, throttle_type, throttle_active_time_percent, max_achievable_util_with_throttling_percent FROM ThrottleSummary WHERE coalesce(throttle_active_time_percent, 1) > %s AND coalesce(max_achievable_util_with_throttling_percent, 0) < 1 ORDER BY 3 DESC"
                        .formatted(Double.toString(max.value())),
                RowsExpectation.rows(0),
                words);
    }

    /**
     * Creates an expectation that limits the HBM usage of one core.
     *
     * @param usage the type of usage; all types when empty
     * @param words the text of the user
     */
    public static SqlExpectation hbm(String usage, String max, String words) {
        return new SqlExpectation(
                usage.isEmpty() ? "HBM of one core" : "HBM of one core for " + usage,
                "SELECT max(usage_bytes) FROM (SELECT sum(usage_bytes) AS usage_bytes FROM HbmUsageSummaryByType%s GROUP BY neuron_device_idx, neuroncore_idx)"
                        .formatted(
                                usage.isEmpty()
                                        ? ""
                                        : " WHERE lower(usage_type) = lower(%s)".formatted(literal(usage))),
                RowsExpectation.within(max, ""),
                words);
    }

    /**
     * Creates an expectation that limits the size of the largest tensor of the graph.
     *
     * @param words the text of the user
     */
    public static SqlExpectation tensor(String max, String words) {
        return new SqlExpectation(
                "largest tensor",
                "SELECT max(size) AS size_bytes FROM TensorInfo",
                RowsExpectation.within(max, ""),
                words);
    }

    /**
     * Creates an expectation that limits the peak usage of a memory on the chip.
     *
     * @param memory {@code Sbuf} or {@code Psum}
     * @param words the text of the user
     */
    public static SqlExpectation onChip(String memory, String max, String words) {
        return new SqlExpectation(
                "peak of " + memory.toUpperCase(Locale.ROOT),
                "SELECT max(avg_util_percent) FROM %sUsage".formatted(memory),
                RowsExpectation.within(max, ""),
                words);
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
