package dev.neurontest.internal.profile;

import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.MetricNames;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileSummary;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the throttling metrics of a device: the share of time under each limit. The core number in a metric name may differ from the
 * core in use.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Throttling {

    /** The class of a profile with an unreadable share. It differs from every class, including itself. */
    static final String UNKNOWN = "unknown";

    /**
     * Pattern of throttling metrics. Published summaries and tables use names with or without a limiter, and may omit the core and the
     * ending.
     */
    private static final Pattern METRIC = Pattern.compile(
            "(?i)throttle(?:_(?<limiter>[a-z0-9_-]+?))?_(?<kind>active_time|avg_util_limit)(?:_nc(?<core>[0-9]+))?(?<percent>_percent)?");

    private static final Pattern ALL_OF_CORE = Pattern.compile("throttle_active(?:_nc(?<core>[0-9]+))?_time_ns");

    /** Pattern of limiter metrics that other versions of the tool may write. */
    private static final Pattern OTHER = Pattern.compile("(?i).*throttl.*(?:active|limit|percent|time|util).*");

    private static final Pattern OTHER_LIMIT = Pattern.compile("(?i).*(?:limit|util).*");
    private static final Pattern PERCENT = Pattern.compile("([0-9]+) %");
    private static final String ACTIVE = "active_time";

    private Throttling() {}

    /**
     * A limiter of one core in a summary: its share of time, its average limit, or both.
     *
     * @param name a name such as {@code activity_1}; empty for all limiters of the core together
     * @param core the core number in the metric name; empty without one
     * @param share the share of time under the limit; empty when it is missing or unreadable
     * @param limit the average remaining fraction of the peak; empty when it is missing or unreadable
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Limiter(String name, String core, OptionalDouble share, OptionalDouble limit) {

        /**
         * Returns whether the limiter throttled the device for some time. An unknown share may be the whole time.
         *
         * @param from the smallest share that counts
         * @return false for a limit of 1 or more, and for smaller shares
         */
        public boolean slows(double from) {
            return limit.orElse(0) < 1 && share.orElse(1) >= from;
        }

        /** Returns a name for messages, such as {@code activity_1 on nc4}. */
        public String label() {
            return (name.isEmpty() ? "a limiter without a name" : name) + (core.isEmpty() ? "" : " on nc" + core);
        }
    }

    /** The key that combines the metrics of one limiter. */
    private record Key(String core, String name) implements Comparable<Key> {

        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::core).thenComparing(Key::name);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * Returns all limiters in a summary, by core and name. The common metrics of all limiters of a core count only if the core has no
     * individual ones. In genuine summaries, the common limit is below 1 even on devices that were hardly throttled.
     */
    public static List<Limiter> limiters(ProfileSummary summary) {
        Map<Key, Limiter> limiters = new TreeMap<>();
        Set<String> coresWithNames = new TreeSet<>();
        for (String metric : names(summary)) {
            Matcher matcher = METRIC.matcher(metric);
            if (matcher.matches()) {
                Key key = new Key(orEmpty(matcher.group("core")), orEmpty(matcher.group("limiter")));
                boolean isShare = matcher.group("kind").equalsIgnoreCase(ACTIVE);
                OptionalDouble value = isShare && matcher.group("percent") == null
                        ? withoutUnit(summary.number(metric))
                        : summary.number(metric);
                Limiter before = limiters.getOrDefault(key, none(key));
                limiters.put(
                        key,
                        isShare
                                ? new Limiter(key.name(), key.core(), value, before.limit())
                                : new Limiter(key.name(), key.core(), before.share(), value));
                if (!key.name().isEmpty()) {
                    coresWithNames.add(key.core());
                }
            }
            Matcher all = ALL_OF_CORE.matcher(metric);
            if (all.matches()) {
                Key key = new Key(orEmpty(all.group("core")), "");
                Limiter before = limiters.getOrDefault(key, none(key));
                limiters.put(
                        key,
                        before.share().isPresent()
                                ? before
                                : new Limiter("", key.core(), share(summary, metric), before.limit()));
            }
            if (!matcher.matches() && !all.matches() && OTHER.matcher(metric).matches()) {
                limiters.put(new Key("", metric), other(metric, summary.number(metric)));
            }
        }
        return limiters.values().stream()
                .filter(limiter -> !limiter.name().isEmpty() || !coresWithNames.contains(limiter.core()))
                .toList();
    }

    private static Limiter other(String metric, OptionalDouble value) {
        return OTHER_LIMIT.matcher(metric).matches()
                ? new Limiter(metric, "", OptionalDouble.empty(), value)
                : new Limiter(metric, "", withoutUnit(value), OptionalDouble.empty());
    }

    private static Limiter none(Key key) {
        return new Limiter(key.name(), key.core(), OptionalDouble.empty(), OptionalDouble.empty());
    }

    private static String orEmpty(@Nullable String group) {
        return group == null ? "" : group;
    }

    /** Returns a number only if it is 0, because its unit is ambiguous: a share or seconds. */
    private static OptionalDouble withoutUnit(OptionalDouble value) {
        return value.orElse(1) == 0 ? value : OptionalDouble.empty();
    }

    private static OptionalDouble share(ProfileSummary summary, String nanoseconds) {
        OptionalDouble total = summary.number(MetricNames.TOTAL_TIME);
        OptionalDouble active = summary.number(nanoseconds);
        return active.isPresent() && total.orElse(0) > 0
                ? OptionalDouble.of(active.getAsDouble() / 1e9 / total.getAsDouble())
                : withoutUnit(active);
    }

    private static Set<String> names(ProfileSummary summary) {
        return Stream.concat(
                        summary.values().keySet().stream(),
                        summary.oddities().stream().map(oddity -> oddity.split(":", 2)[0]))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Returns the largest share of time under one limit. Shares may overlap and are therefore not added. A limit of 1 or more is ignored.
     *
     * @return empty when the device was not throttled
     */
    public static Optional<Fraction> of(ProfileSummary summary) {
        return limiters(summary).stream()
                .filter(limiter -> limiter.slows(0) && limiter.share().orElse(0) > 0)
                .map(limiter -> new Fraction(limiter.share().getAsDouble()))
                .max(Comparator.naturalOrder());
    }

    /**
     * Returns the throttling class of a profile. Times of different classes are not comparable.
     *
     * @return each limiter with its share of time and its limit, in steps of 10 points, such as {@code activity_1 30 % at 50 %}; empty when
     *     nothing throttled the device for 5 % of the time; {@link #UNKNOWN} when the share of a limiter is missing or unreadable
     */
    public static String classOf(Profile profile) {
        if (profile.executions().stream()
                .flatMap(execution -> limiters(execution.summary()).stream())
                .anyMatch(limiter -> limiter.share().isEmpty() && limiter.slows(0))) {
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
                        Matcher name = METRIC.matcher(metric);
                        String limiter = (name.matches() ? orEmpty(name.group("limiter")) : "")
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

    /**
     * Returns whether two classes are known and equal.
     *
     * @return false for an unknown class, even in comparison with itself
     */
    public static boolean isSame(String some, String other) {
        return some.equals(other) && !some.equals(UNKNOWN);
    }

    /** Returns whether two classes differ by at most 10 points. A share near the boundary between two classes can differ by that much. */
    public static boolean isNear(String some, String other) {
        List<Integer> first = percents(some);
        List<Integer> second = percents(other);
        return !some.equals(UNKNOWN)
                && PERCENT.matcher(some)
                        .replaceAll("%")
                        .equals(PERCENT.matcher(other).replaceAll("%"))
                && IntStream.range(0, first.size())
                        .allMatch(each -> Math.abs(first.get(each) - second.get(each)) <= 10);
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

    /** Returns the name of the limit metric that belongs to a time metric. */
    public static String limit(String activeTime) {
        return activeTime.replace("_active_time_", "_avg_util_limit_");
    }

    /** Returns the shares of time of all limiters, by metric. */
    public static Map<String, Fraction> all(ProfileSummary summary) {
        Map<String, Fraction> parts = new TreeMap<>();
        summary.values().keySet().forEach(name -> {
            Matcher metric = METRIC.matcher(name);
            if (metric.matches() && metric.group("kind").equalsIgnoreCase(ACTIVE) && metric.group("percent") != null) {
                summary.number(name).ifPresent(value -> parts.put(name, new Fraction(value)));
            }
        });
        return parts;
    }
}
