package dev.neurontest.internal.profile;

import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Profile;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** Checks of the validity of a profile. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Doubts {

    /** Doubts that affect times and values computed from them, but neither counts nor bytes. */
    private static final Set<Doubt.Kind> OF_TIMES = EnumSet.of(Doubt.Kind.FIRST_EXECUTION, Doubt.Kind.THROTTLED);

    /** Pattern of metrics that depend on DMA packets or bytes: transfers, HBM, DMA queues, and values computed from them. */
    private static final Pattern MADE_OF_DMA = Pattern.compile(
            "(?:^|[^a-z])(?:dma|hbm|mbu)(?:[^a-z]|$)|_queue_bytes|(?:^|[^a-z_])spill_|arithmetic_intensity|_max_achievable_");

    private static final Set<Unit> LAID_DOWN = EnumSet.of(Unit.BYTES, Unit.FLOPS, Unit.COUNT);

    private static final int MOST_OF_KIND = 3;

    private Doubts() {}

    /**
     * Checks whether start-up and throttling affect a metric: times, and values computed from them. An unknown metric counts as affected,
     * unless its name implies another unit.
     *
     * @param metric the name in summaries
     */
    public static boolean carriesTime(String metric) {
        return ProfileMetrics.find(metric)
                .map(known -> known.metric().isTime() || known.metric().noise() == Noise.NOISY)
                .orElseGet(() -> metric.contains("cycle")
                        || ProfileMetrics.unit(metric)
                                .filter(LAID_DOWN::contains)
                                .isEmpty());
    }

    /**
     * Checks whether a metric depends on DMA figures.
     *
     * @param metric the name in summaries, or a query of tables
     */
    public static boolean isMadeOfDma(String metric) {
        return MADE_OF_DMA.matcher(metric.toLowerCase(Locale.ROOT)).find();
    }

    /**
     * Returns the reasons why DMA figures are inaccurate.
     *
     * @return one text with all reasons; empty when the figures are accurate
     */
    public static String ofDma(Profile profile) {
        return joined(profile.allDoubts().stream().filter(doubt -> doubt.kind() == Doubt.Kind.DOUBTFUL_DMA));
    }

    /**
     * Checks whether a doubt makes a metric unusable.
     *
     * @param kind kind of the doubt in upper or lower case; an unknown kind affects every metric
     * @param metric the name of the metric
     * @return false for counts of a throttled execution, for example
     */
    public static boolean spoils(String kind, String metric) {
        if (kind.equalsIgnoreCase(Doubt.Kind.DOUBTFUL_DMA.name())) {
            return isMadeOfDma(metric);
        }
        return OF_TIMES.stream().noneMatch(each -> kind.equalsIgnoreCase(each.name())) || carriesTime(metric);
    }

    /**
     * Returns the doubts that affect every metric. A first execution and throttling affect only metrics that depend on time. Inaccurate DMA
     * figures affect only metrics that depend on them.
     */
    public static List<Doubt> of(Profile profile) {
        return profile.allDoubts().stream()
                .filter(doubt -> !OF_TIMES.contains(doubt.kind()) && doubt.kind() != Doubt.Kind.DOUBTFUL_DMA)
                .toList();
    }

    /**
     * Returns the reasons why no metric can be judged.
     *
     * @return one text with all reasons; empty when some metric can be judged
     */
    public static String reasons(Profile profile) {
        return joined(of(profile).stream());
    }

    /**
     * Returns the reasons why a metric cannot be judged.
     *
     * @param metric the name in summaries
     * @return one text with all reasons; empty when the metric can be judged
     */
    public static String reasons(Profile profile, String metric) {
        // Throttling does not affect the metrics that measure throttling.
        Stream<Doubt> slow = metric.startsWith("throttle_") ? Stream.empty() : throttling(profile);
        String reasons = carriesTime(metric)
                ? joined(Stream.of(of(profile).stream(), startUp(profile), slow).flatMap(doubts -> doubts))
                : reasons(profile);
        return isMadeOfDma(metric) ? (reasons + " " + ofDma(profile)).strip() : reasons;
    }

    /**
     * Returns the reasons why a metric cannot be compared with the same metric of another profile. Equal throttling of both profiles is not
     * a reason.
     *
     * @param metric the name in summaries
     * @return one text with all reasons
     */
    public static String reasons(Profile profile, Profile beside, String metric) {
        boolean alike = Throttling.isSame(Throttling.classOf(profile), Throttling.classOf(beside));
        return Stream.of(profile, beside)
                .map(each -> reasons(alike ? withoutThrottling(each) : each, metric))
                .distinct()
                .collect(Collectors.joining(" "))
                .strip();
    }

    /** Returns the same profile without the doubts about throttling. */
    public static Profile withoutThrottling(Profile profile) {
        return profile.with(
                profile.executions().stream()
                        .map(each -> each.with(each.summary(), withoutThrottling(each.doubts())))
                        .toList(),
                withoutThrottling(profile.doubts()));
    }

    private static List<Doubt> withoutThrottling(List<Doubt> doubts) {
        return doubts.stream()
                .filter(doubt -> doubt.kind() != Doubt.Kind.THROTTLED)
                .toList();
    }

    /** Returns the doubts about throttling; none if the device was not throttled. */
    public static Stream<Doubt> throttling(Profile profile) {
        return profile.allDoubts().stream().filter(doubt -> doubt.kind() == Doubt.Kind.THROTTLED);
    }

    /** Returns the reasons in one text. Many ranks may have the same doubt about their traces, so some of each kind are enough. */
    private static String joined(Stream<Doubt> doubts) {
        Map<Doubt.Kind, Set<String>> byKind = doubts.collect(Collectors.groupingBy(
                Doubt::kind, LinkedHashMap::new, Collectors.mapping(Doubt::reason, toOrderedSet())));
        return byKind.values().stream()
                .map(reasons -> reasons.stream().limit(MOST_OF_KIND).collect(Collectors.joining(" "))
                        + (reasons.size() > MOST_OF_KIND
                                ? " And %s more of this kind.".formatted(reasons.size() - MOST_OF_KIND)
                                : ""))
                .collect(Collectors.joining(" "));
    }

    private static Collector<String, ?, Set<String>> toOrderedSet() {
        return Collectors.toCollection(LinkedHashSet::new);
    }

    /** Returns the doubts about start-up of parts that contain only first executions. */
    private static Stream<Doubt> startUp(Profile profile) {
        return Stream.concat(
                        profile.doubts().stream(),
                        ComparableExecutions.of(profile.executions()).stream()
                                .filter(part -> part.without(Doubt.Kind.FIRST_EXECUTION)
                                        .executions()
                                        .isEmpty())
                                .flatMap(part -> part.executions().stream())
                                .flatMap(execution -> execution.doubts().stream()))
                .filter(doubt -> doubt.kind() == Doubt.Kind.FIRST_EXECUTION);
    }
}
