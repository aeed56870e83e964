package dev.neurontest.internal.profile;

import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Profile;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** Whether a profile is valid. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Doubts {

    /** What spoils times, and what is computed with them, but neither counts nor bytes. */
    private static final Set<Doubt.Kind> OF_TIMES = EnumSet.of(Doubt.Kind.FIRST_EXECUTION, Doubt.Kind.THROTTLED);

    /** Metrics that are made of DMA packets or bytes: of transfers, of HBM, of its queues, and of what is computed with them. */
    private static final Pattern MADE_OF_DMA = Pattern.compile(
            "(?:^|[^a-z])(?:dma|hbm|mbu)(?:[^a-z]|$)|_queue_bytes|(?:^|[^a-z_])spill_|arithmetic_intensity|_max_achievable_");

    private static final Set<Unit> LAID_DOWN = EnumSet.of(Unit.BYTES, Unit.FLOPS, Unit.COUNT);

    private Doubts() {}

    /**
     * Whether start-up and throttling spoil a metric: times, and what is computed with them. Of one that is not known it may be so,
     * unless its name says that it counts something else.
     *
     * @param metric its name in summaries
     * @return whether they do
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
     * Returns whether figures of DMA are part of a metric.
     *
     * @param metric its name in summaries, or a query of tables
     * @return whether they are
     */
    public static boolean isMadeOfDma(String metric) {
        return MADE_OF_DMA.matcher(metric.toLowerCase(Locale.ROOT)).find();
    }

    /**
     * Returns why nothing can be decided about figures of DMA.
     *
     * @param profile what was measured
     * @return one text of all reasons; empty when they are right
     */
    public static String ofDma(Profile profile) {
        return joined(profile.allDoubts().stream().filter(doubt -> doubt.kind() == Doubt.Kind.DOUBTFUL_DMA));
    }

    /**
     * Checks whether a doubt leaves a metric without a value.
     *
     * @param kind of the doubt, in any case; one that is not known spoils all
     * @param metric its name
     * @return false for counts of a throttled execution, for example
     */
    public static boolean spoils(String kind, String metric) {
        if (kind.equalsIgnoreCase(Doubt.Kind.DOUBTFUL_DMA.name())) {
            return isMadeOfDma(metric);
        }
        return OF_TIMES.stream().noneMatch(each -> kind.equalsIgnoreCase(each.name())) || carriesTime(metric);
    }

    /**
     * Everything because of which nothing can be decided; a first execution and throttling spoil only what carries time, inaccurate
     * figures of DMA only what is made of them.
     *
     * @param profile what was measured
     * @return those that leave every metric open
     */
    public static List<Doubt> of(Profile profile) {
        return profile.allDoubts().stream()
                .filter(doubt -> !OF_TIMES.contains(doubt.kind()) && doubt.kind() != Doubt.Kind.DOUBTFUL_DMA)
                .toList();
    }

    /**
     * Why nothing at all can be decided; empty when something can.
     *
     * @param profile what was measured
     * @return one text of all reasons
     */
    public static String reasons(Profile profile) {
        return joined(of(profile).stream());
    }

    /**
     * Why nothing can be decided about a metric; empty when it can.
     *
     * @param profile what was measured
     * @param metric its name in summaries
     * @return one text of all reasons
     */
    public static String reasons(Profile profile, String metric) {
        // The figures of throttling are what they are about.
        Stream<Doubt> slow = metric.startsWith("throttle_") ? Stream.empty() : throttling(profile);
        String reasons = carriesTime(metric)
                ? joined(Stream.of(of(profile).stream(), startUp(profile), slow).flatMap(doubts -> doubts))
                : reasons(profile);
        return isMadeOfDma(metric) ? (reasons + " " + ofDma(profile)).strip() : reasons;
    }

    /**
     * Why nothing can be decided about a metric beside the same one of another profile, which may be throttled just so.
     *
     * @param profile what was measured
     * @param beside the other profile
     * @param metric its name in summaries
     * @return one text of all reasons
     */
    public static String reasons(Profile profile, Profile beside, String metric) {
        boolean alike = Throttling.isSame(Throttling.classOf(profile), Throttling.classOf(beside));
        return Stream.of(profile, beside)
                .map(each -> reasons(alike ? withoutThrottling(each) : each, metric))
                .distinct()
                .collect(Collectors.joining(" "))
                .strip();
    }

    /**
     * The same profile as if it had not been throttled.
     *
     * @param profile what was measured
     * @return without the doubts about throttling
     */
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

    /**
     * The doubts about throttling.
     *
     * @param profile what was measured
     * @return none where the device was not throttled
     */
    public static Stream<Doubt> throttling(Profile profile) {
        return profile.allDoubts().stream().filter(doubt -> doubt.kind() == Doubt.Kind.THROTTLED);
    }

    private static String joined(Stream<Doubt> doubts) {
        return doubts.map(Doubt::reason).distinct().collect(Collectors.joining(" "));
    }

    /** Start-up where there is no other execution to judge. */
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
