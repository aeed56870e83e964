package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.driver.instance.NearNames;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of {@code neuron-monitor}.
 *
 * @param runtimes the groups to collect for the processes whose tags match; the first match of a process counts
 * @param system the groups to collect for the host, with their periods
 */
record MonitorConfig(List<Runtime> runtimes, Map<String, Duration> system) {

    /** The groups of a process. */
    static final List<String> RUNTIME_GROUPS =
            List.of("execution_stats", "memory_used", "neuron_runtime_vcpu_usage", "neuroncore_counters");

    /** The groups of the host. */
    static final List<String> SYSTEM_GROUPS = List.of("memory_info", "neuron_hw_counters", "vcpu_usage");

    private static final Duration PERIOD = Duration.ofSeconds(5);
    private static final BigDecimal LONGEST_PERIOD = BigDecimal.valueOf(Long.MAX_VALUE);
    // The genuine tool matches in linear time. Here a filter may need exponential time.
    private static final int MOST_STEPS = 10_000_000;
    // The names that Go permits are no names in Java, and nothing refers to them.
    private static final Pattern NAME_OF_GROUP = Pattern.compile("\\(\\?P<\\w+>");
    private static final Pattern DURATION =
            Pattern.compile("((?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:ns|us|µs|ms|s|m|h))+");
    private static final Pattern PART = Pattern.compile("([0-9.]+)(ns|us|µs|ms|s|m|h)");

    /**
     * The groups to collect for some processes.
     *
     * @param tagFilter an expression that is found in their tags
     * @param groups the names of the groups, with their periods
     */
    record Runtime(Pattern tagFilter, Map<String, Duration> groups) {

        /**
         * Returns whether the expression is found in a tag.
         *
         * @throws IllegalArgumentException if that takes too long
         */
        boolean takes(String tag) {
            return tagFilter
                    .matcher(new Steps(tag, tagFilter, new AtomicInteger()))
                    .find();
        }
    }

    /** A tag that counts how often its characters are read. */
    private record Steps(CharSequence tag, Pattern tagFilter, AtomicInteger steps) implements CharSequence {

        @Override
        public char charAt(int index) {
            if (steps.incrementAndGet() > MOST_STEPS) {
                throw new IllegalArgumentException(
                        "tag_filter \"" + tagFilter + "\" takes too long for the tag " + tag + "; use a simpler one");
            }
            return tag.charAt(index);
        }

        @Override
        public int length() {
            return tag.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Steps(tag.subSequence(start, end), tagFilter, steps);
        }
    }

    /** Returns the configuration to use without a file. The hardware counters and the processors are not part of it. */
    static MonitorConfig usual() {
        Map<String, Duration> all = new LinkedHashMap<>();
        RUNTIME_GROUPS.forEach(group -> all.put(group, PERIOD));
        return new MonitorConfig(List.of(new Runtime(Pattern.compile(""), all)), Map.of("memory_info", PERIOD));
    }

    /**
     * Parses the content of a file.
     *
     * @throws IllegalArgumentException if it is no configuration; the message says where and what was expected
     */
    static MonitorConfig parse(String text) {
        Map<?, ?> root = object(JsonText.parse(text), "the configuration");
        Duration period = period(root, PERIOD);
        List<Runtime> runtimes = new ArrayList<>();
        for (Object each : array(root, "neuron_runtimes")) {
            Map<?, ?> runtime = object(each, "each element of neuron_runtimes");
            runtimes.add(new Runtime(
                    filter(runtime.get("tag_filter")),
                    groups(runtime, "metrics", period(runtime, period), RUNTIME_GROUPS)));
        }
        return new MonitorConfig(runtimes, groups(root, "system_metrics", period, SYSTEM_GROUPS));
    }

    private static Pattern filter(@Nullable Object expression) {
        if (expression == null) {
            return Pattern.compile("");
        }
        try {
            return Pattern.compile(
                    NAME_OF_GROUP.matcher(text(expression, "tag_filter")).replaceAll("("));
        } catch (PatternSyntaxException | StackOverflowError wrong) {
            throw new IllegalArgumentException("tag_filter \"" + expression + "\" is no regular expression", wrong);
        }
    }

    private static Map<String, Duration> groups(Map<?, ?> parent, String name, Duration period, List<String> known) {
        Map<String, Duration> groups = new LinkedHashMap<>();
        for (Object each : array(parent, name)) {
            Map<?, ?> group = object(each, "each element of " + name);
            groups.put(
                    NearNames.named("type of metrics", text(group.get("type"), "type"), known), period(group, period));
        }
        return groups;
    }

    private static Duration period(Map<?, ?> parent, Duration outer) {
        Object period = parent.get("period");
        return period == null ? outer : duration(text(period, "period"));
    }

    /** Parses a duration as Go does, such as {@code 1m30s} or {@code 0.5s}. */
    private static Duration duration(String text) {
        if (!DURATION.matcher(text).matches()) {
            throw new IllegalArgumentException("period \"" + text + "\" is not a duration such as 500ms, 1s or 1m30s");
        }
        BigDecimal sum = BigDecimal.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            long unit = switch (part.group(2)) {
                case "ns" -> 1;
                case "us", "µs" -> 1_000;
                case "ms" -> 1_000_000;
                case "s" -> 1_000_000_000;
                case "m" -> 60_000_000_000L;
                default -> 3_600_000_000_000L;
            };
            sum = sum.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
        }
        if (sum.compareTo(BigDecimal.ONE) < 0 || sum.compareTo(LONGEST_PERIOD) > 0) {
            throw new IllegalArgumentException("period \"" + text + "\" must be longer than 0 and at most 2562047h");
        }
        return Duration.ofNanos(sum.longValue());
    }

    private static Map<?, ?> object(@Nullable Object value, String what) {
        if (value instanceof Map<?, ?> object) {
            return object;
        }
        throw new IllegalArgumentException(what + " must be an object");
    }

    private static List<?> array(Map<?, ?> parent, String name) {
        Object value = parent.get(name);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> array) {
            return array;
        }
        throw new IllegalArgumentException(name + " must be an array");
    }

    private static String text(@Nullable Object value, String name) {
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(name + " must be a string, not " + value);
    }
}
