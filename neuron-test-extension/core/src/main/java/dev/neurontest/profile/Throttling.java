package dev.neurontest.profile;

import dev.neurontest.metric.Fraction;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** For what part of the time a device was slowed down, by its own account. The number of the core in the name need not be that in use. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Throttling {

    private static final Pattern ACTIVE = Pattern.compile("throttle_.*_active_time_nc[0-9]+_percent");

    /** The class where a share cannot be read. It is like no other one, not even like itself. */
    static final String UNKNOWN = "unknown";

    private static final Pattern PERCENT = Pattern.compile("([0-9]+) %");

    private Throttling() {}

    /**
     * The reason that lasted longest; reasons may overlap, so they are not added up. A limit of all that is possible is none.
     *
     * @param summary of one execution
     * @return the share of the time; empty where the device was not throttled
     */
    public static Optional<Fraction> of(ProfileSummary summary) {
        return all(summary).entrySet().stream()
                .filter(reason -> summary.number(limit(reason.getKey())).orElse(0) < 1)
                .map(Map.Entry::getValue)
                .max(Comparator.naturalOrder())
                .filter(part -> part.value() > 0);
    }

    /**
     * The class of throttling of a profile. Times of different classes are not comparable.
     *
     * @return each limiter with the share of the time under its limit, and the limit, to 10 points, such as
     *     {@code activity_1 30 % at 50 %}; empty when nothing slowed the device down for 5 % of the time; {@link #UNKNOWN} when a
     *     share cannot be read
     */
    static String classOf(Profile profile) {
        if (profile.executions().stream().anyMatch(execution -> isUnreadable(execution.summary()))) {
            return UNKNOWN;
        }
        Map<String, Long> shares = new TreeMap<>();
        profile.executions().stream()
                .flatMap(execution -> all(execution.summary()).keySet().stream())
                .distinct()
                .forEach(metric -> {
                    OptionalDouble limit = profile.number(limit(metric));
                    long share = tens(profile.number(metric).orElse(0));
                    if (share > 0 && limit.orElse(0) < 1) {
                        String limiter = metric.replaceAll("throttle_(.*)_active_time_nc[0-9]+_percent", "$1")
                                + (limit.isPresent() ? " at %s %%".formatted(tens(limit.getAsDouble())) : "");
                        shares.merge(limiter, share, Math::max);
                    }
                });
        return shares.entrySet().stream()
                .map(each -> each.getKey().contains(" at ")
                        ? each.getKey().replace(" at ", " %s %% at ".formatted(each.getValue()))
                        : "%s %s %%".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static boolean isUnreadable(ProfileSummary summary) {
        return Stream.concat(
                        summary.values().keySet().stream(),
                        summary.oddities().stream().map(oddity -> oddity.split(":", 2)[0]))
                .filter(name -> ACTIVE.matcher(name).matches())
                .anyMatch(name -> summary.number(name).isEmpty()
                        && summary.number(limit(name)).orElse(0) < 1);
    }

    /**
     * Whether two classes are known and the same.
     *
     * @param some as {@link Profile#throttleClass()} says it
     * @param other of another profile
     * @return false for a class that is not known, even beside itself
     */
    public static boolean isSame(String some, String other) {
        return some.equals(other) && !some.equals(UNKNOWN);
    }

    /**
     * Whether two classes are the same but for 10 points, which is what a share at an edge of a class comes to.
     *
     * @param some a class
     * @param other another one
     * @return whether they are
     */
    public static boolean isNear(String some, String other) {
        List<Integer> its = percents(some);
        List<Integer> others = percents(other);
        return !some.equals(UNKNOWN)
                && PERCENT.matcher(some)
                        .replaceAll("%")
                        .equals(PERCENT.matcher(other).replaceAll("%"))
                && IntStream.range(0, its.size()).allMatch(each -> Math.abs(its.get(each) - others.get(each)) <= 10);
    }

    private static List<Integer> percents(String throttleClass) {
        return PERCENT.matcher(throttleClass)
                .results()
                .map(percent -> Integer.valueOf(percent.group(1)))
                .toList();
    }

    private static long tens(double fraction) {
        return Math.round(fraction * 10) * 10;
    }

    /**
     * The metric that says how much of the peak was left meanwhile.
     *
     * @param activeTime the metric that says how long
     * @return its name
     */
    public static String limit(String activeTime) {
        return activeTime.replace("_active_time_", "_avg_util_limit_");
    }

    /**
     * All reasons for which the device was throttled.
     *
     * @param summary of one execution
     * @return shares of the time by metric
     */
    public static Map<String, Fraction> all(ProfileSummary summary) {
        Map<String, Fraction> parts = new TreeMap<>();
        summary.values().keySet().stream()
                .filter(name -> ACTIVE.matcher(name).matches())
                .forEach(name -> summary.number(name).ifPresent(value -> parts.put(name, new Fraction(value))));
        return parts;
    }
}
