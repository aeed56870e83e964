package dev.neurontest.internal.plan;

import dev.neurontest.internal.profile.threshold.RelativeExpectation;
import dev.neurontest.internal.profile.threshold.RooflineExpectation;
import dev.neurontest.internal.profile.threshold.SqlExpectation;
import dev.neurontest.profile.MetricExpectation;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import dev.neurontest.profile.TraceExport;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * What a test wants profiled, and how that is judged.
 *
 * @param neff what the profiler tool executes by itself
 * @param workloads how workloads are traced
 * @param first whether the NEFF is there, and wanted, when the test begins
 * @param profiles whether the test makes profiles itself
 * @param tables whether a demand needs the tables of every trace, also of those that the test makes itself
 * @param rules what they are judged by
 * @param queries what their tables have to say
 * @param roofline what they have to reach of it
 * @param relatives tests that they are held against
 * @param method the test method, by which others hold theirs against this one's
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProfilePlan(
        Optional<NeffReplay> neff,
        Optional<WorkloadTrace> workloads,
        boolean first,
        boolean profiles,
        boolean tables,
        ProfileExpectations rules,
        List<SqlExpectation> queries,
        Optional<RooflineExpectation> roofline,
        List<Relative> relatives,
        String method) {

    /** For whatever has nothing to do with profiles. */
    public static final ProfilePlan NONE = new ProfilePlan(
            Optional.empty(),
            Optional.empty(),
            false,
            false,
            false,
            ProfileExpectations.DEFAULT,
            List.of(),
            Optional.empty(),
            List.of(),
            "");

    /** What every trace is written as, whatever a capture asks for. */
    public Set<TraceExport> exports() {
        return tables ? Set.of(TraceExport.TABLES) : Set.of();
    }

    /**
     * A demand beside another test.
     *
     * @param other its method, as a plan names it
     * @param threshold holds a profile against that of the other
     */
    public record Relative(String other, Function<Supplier<Optional<Profile>>, RelativeExpectation> threshold) {}

    /** Everything that is demanded. */
    public List<String> demands() {
        return Stream.of(
                        rules.thresholds().stream().map(MetricExpectation::toString),
                        queries.stream().map(SqlExpectation::words).distinct(),
                        roofline.stream().map(RooflineExpectation::words),
                        relatives.stream()
                                .map(each ->
                                        each.threshold().apply(Optional::empty).words()))
                .flatMap(Function.identity())
                .toList();
    }

    /** Whether there has to be a tool. */
    public boolean needsTool() {
        return neff.isPresent() || workloads.isPresent() || profiles;
    }
}
