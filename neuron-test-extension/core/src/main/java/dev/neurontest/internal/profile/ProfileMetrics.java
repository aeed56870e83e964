package dev.neurontest.internal.profile;

import dev.neurontest.internal.text.NearestName;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Unit;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The known metrics of the tools. The schema may change in any release, therefore other metrics may exist. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfileMetrics {

    private static final Map<String, ProfileMetric> BY_NAME =
            MetricCatalogue.METRICS.stream().collect(Collectors.toMap(ProfileMetric::name, Function.identity()));

    /** Pattern of throttling metrics. The catalogue contains only those of core 0. */
    private static final Pattern OF_CORE = Pattern.compile("(throttle_.*_nc)[0-9]+(_.*)");

    private static final int SUGGESTIONS = 3;
    private static final double LEAST_LIKENESS = 0.4;

    /** Minimum likeness of letters. Below it, two names share letters by chance. */
    private static final double LEAST_LIKENESS_OF_LETTERS = 0.6;

    private ProfileMetrics() {}

    /** Returns all metrics in the order of the schema, followed by metrics that the schema lacks. */
    public static List<ProfileMetric> all() {
        return MetricCatalogue.METRICS;
    }

    /**
     * Finds a metric by name.
     *
     * @param name the name in the tool; throttling metrics are found for every core number
     * @return empty when the metric is unknown
     */
    public static Optional<ProfileMetric> find(String name) {
        Matcher core = OF_CORE.matcher(name);
        if (!core.matches()) {
            return Optional.ofNullable(BY_NAME.get(name));
        }
        return Optional.ofNullable(BY_NAME.get(core.group(1) + "0" + core.group(2)))
                .map(known -> new ProfileMetric(
                        new Metric(
                                name,
                                known.metric().unit(),
                                known.metric().better(),
                                known.metric().noise()),
                        known.since(),
                        known.inSchema()));
    }

    /**
     * Returns the unit of a metric. For an unknown metric, the usual ending of its name determines the unit.
     *
     * @return empty when neither the name nor its ending is known
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static Optional<Unit> unit(String name) {
        return find(name).map(known -> known.metric().unit()).or(() -> Unit.byEnding(name));
    }

    /**
     * Finds the existing names most similar to a wrong name.
     *
     * @param candidates existing names, such as those of a summary
     * @return up to three candidates, the most similar first; no candidates without sufficient likeness
     */
    public static List<String> nearest(String name, Collection<String> candidates) {
        // Vendor guides mention a latency, but no version of the tools writes it.
        String canonical = name.replace("latency", "total_time");
        return candidates.stream()
                .distinct()
                .filter(known -> likeness(canonical, known) >= LEAST_LIKENESS)
                .sorted(Comparator.comparingDouble((String known) -> -likeness(canonical, known))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(SUGGESTIONS)
                .toList();
    }

    /** Returns the likeness of two names: the share of common words or of common letters, whichever is higher. Equal names have 1. */
    private static double likeness(String name, String known) {
        Set<String> words = words(name);
        Set<String> otherWords = words(known);
        Set<String> shared = new HashSet<>(words);
        shared.retainAll(otherWords);
        double wordLikeness = 2.0 * shared.size() / (words.size() + otherWords.size());
        double letterLikeness = 1 - (double) NearestName.edits(name, known) / Math.max(name.length(), known.length());
        return letterLikeness < LEAST_LIKENESS_OF_LETTERS ? wordLikeness : Math.max(wordLikeness, letterLikeness);
    }

    private static Set<String> words(String name) {
        return new HashSet<>(Arrays.asList(name.split("_")));
    }
}
