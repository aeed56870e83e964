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

/** For what part of the time a device was slowed down, by its own account. The number of the core in the name need not be that in use. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Throttling {

    /** The class where a share cannot be read. It is like no other one, not even like itself. */
    static final String UNKNOWN = "unknown";

    /** Published summaries and tables of them have the name of a limiter or none, and leave out the core and the ending. */
    private static final Pattern METRIC = Pattern.compile(
            "(?i)throttle(?:_(?<limiter>[a-z0-9_-]+?))?_(?<kind>active_time|avg_util_limit)(?:_nc(?<core>[0-9]+))?(?<percent>_percent)?");

    private static final Pattern ALL_OF_CORE = Pattern.compile("throttle_active(?:_nc(?<core>[0-9]+))?_time_ns");

    /** A limiter that another version of the tool may name so. */
    private static final Pattern OTHER = Pattern.compile("(?i).*throttl.*(?:active|limit|percent|time|util).*");

    private static final Pattern OTHER_LIMIT = Pattern.compile("(?i).*(?:limit|util).*");
    private static final Pattern PERCENT = Pattern.compile("([0-9]+) %");
    private static final String ACTIVE = "active_time";

    private Throttling() {}

    /**
     * A limiter of one core, as far as a summary shows it: by its share of the time, by its average limit, or by both.
     *
     * @param name such as {@code activity_1}; empty for all limiters of the core together
     * @param core the number in the name of the metric; empty without one
     * @param share of the time under the limit; empty when it is not written, or cannot be read
     * @param limit what was left of the peak on average; empty when it is not written, or cannot be read
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Limiter(String name, String core, OptionalDouble share, OptionalDouble limit) {

        /**
         * Returns whether it slowed the device down for a part of the time. An unknown part may be all of it.
         *
         * @param from the smallest share that counts
         * @return false for a limit of all that is possible, and for smaller shares
         */
        public boolean slows(double from) {
            return limit.orElse(0) < 1 && share.orElse(1) >= from;
        }

        /**
         * Returns a name for messages.
         *
         * @return such as {@code activity_1 on nc4}
         */
        public String label() {
            return (name.isEmpty() ? "a limiter without a name" : name) + (core.isEmpty() ? "" : " on nc" + core);
        }
    }

    /** The metrics of one limiter by their kind. */
    private record Key(String core, String name) implements Comparable<Key> {

        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::core).thenComparing(Key::name);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * Returns all limiters that a summary shows. What all limiters of a core have in common counts only where it shows no single one:
     * it is below 1 in genuine summaries of devices that hardly any limit slowed down.
     *
     * @param summary of one execution
     * @return by core and name
     */
    public static List<Limiter> limiters(ProfileSummary summary) {
        Map<Key, Limiter> limiters = new TreeMap<>();
        Set<String> coresWithNames = new TreeSet<>();
        for (String metric : names(summary)) {
            Matcher matcher = METRIC.matcher(metric);
            if (matcher.matches()) {
                Key key = new Key(or(matcher.group("core")), or(matcher.group("limiter")));
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
                Key key = new Key(or(all.group("core")), "");
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

    private static String or(@Nullable String group) {
        return group == null ? "" : group;
    }

    /** A number that may be a share or seconds shows only that it is 0. */
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
     * The reason that lasted longest; reasons may overlap, so they are not added up. A limit of all that is possible is none.
     *
     * @param summary of one execution
     * @return the share of the time; empty where the device was not throttled
     */
    public static Optional<Fraction> of(ProfileSummary summary) {
        return limiters(summary).stream()
                .filter(limiter -> limiter.slows(0) && limiter.share().orElse(0) > 0)
                .map(limiter -> new Fraction(limiter.share().getAsDouble()))
                .max(Comparator.naturalOrder());
    }

    /**
     * The class of throttling of a profile. Times of different classes are not comparable.
     *
     * @return each limiter with the share of the time under its limit, and the limit, to 10 points, such as
     *     {@code activity_1 30 % at 50 %}; empty when nothing slowed the device down for 5 % of the time; {@link #UNKNOWN} when the
     *     share of a limiter is not written or cannot be read
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
                        String limiter = (name.matches() ? or(name.group("limiter")) : "")
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
        summary.values().keySet().forEach(name -> {
            Matcher metric = METRIC.matcher(name);
            if (metric.matches() && metric.group("kind").equalsIgnoreCase(ACTIVE) && metric.group("percent") != null) {
                summary.number(name).ifPresent(value -> parts.put(name, new Fraction(value)));
            }
        });
        return parts;
    }
}
