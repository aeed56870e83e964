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

/** The metrics that the tools are known to write. Their schema may change in any release: what is not here may still exist. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfileMetrics {

    private static final Map<String, ProfileMetric> BY_NAME =
            MetricCatalogue.METRICS.stream().collect(Collectors.toMap(ProfileMetric::name, Function.identity()));

    /** The catalogue has throttling of core 0 only. */
    private static final Pattern OF_CORE = Pattern.compile("(throttle_.*_nc)[0-9]+(_.*)");

    private static final int SUGGESTIONS = 3;
    private static final double LEAST_LIKENESS = 0.4;

    /** Below it two names have letters in common by chance. */
    private static final double LEAST_LIKENESS_OF_LETTERS = 0.6;

    private ProfileMetrics() {}

    /**
     * All of them.
     *
     * @return in the order of the schema, then those beyond it
     */
    public static List<ProfileMetric> all() {
        return MetricCatalogue.METRICS;
    }

    /**
     * One of them.
     *
     * @param name as the tool writes it; throttling is found for every number of a core
     * @return empty when it is not known
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
     * What a metric counts, also one that is not known here but whose name ends as the tools name such metrics.
     *
     * @param name as the tool names it
     * @return empty when neither tells
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static Optional<Unit> unit(String name) {
        return find(name).map(known -> known.metric().unit()).or(() -> Unit.byEnding(name));
    }

    /**
     * The metric that was probably meant.
     *
     * @param name as it was written
     * @param among names that exist, such as those of a summary
     * @return up to three, the nearest first; none that is only a guess
     */
    public static List<String> nearest(String name, Collection<String> among) {
        // Guides ask for a latency, which no version of the tools writes.
        String meant = name.replace("latency", "total_time");
        return among.stream()
                .distinct()
                .filter(known -> likeness(meant, known) >= LEAST_LIKENESS)
                .sorted(Comparator.comparingDouble((String known) -> -likeness(meant, known))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(SUGGESTIONS)
                .toList();
    }

    /** The better of two: the share of words that both have, and of letters that can stay. 1 for the same name. */
    private static double likeness(String one, String other) {
        Set<String> words = words(one);
        Set<String> otherWords = words(other);
        Set<String> shared = new HashSet<>(words);
        shared.retainAll(otherWords);
        double ofWords = 2.0 * shared.size() / (words.size() + otherWords.size());
        double ofLetters = 1 - (double) NearestName.edits(one, other) / Math.max(one.length(), other.length());
        return ofLetters < LEAST_LIKENESS_OF_LETTERS ? ofWords : Math.max(ofWords, ofLetters);
    }

    private static Set<String> words(String name) {
        return new HashSet<>(Arrays.asList(name.split("_")));
    }
}
