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
 * The plan of a test for profiles, with the rules that judge them.
 *
 * @param neff the model that the profiler tool executes itself
 * @param workloads the trace of workloads
 * @param first true if the test takes the profile as a parameter, so the NEFF is profiled when the test begins
 * @param profiles true if the test creates profiles itself
 * @param rules the expectations on metrics
 * @param queries the expectations on tables
 * @param roofline the expected share of the roofline
 * @param relatives the comparisons with other tests
 * @param method the test method, by which other tests refer to this one
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProfilePlan(
        Optional<NeffReplay> neff,
        Optional<WorkloadTrace> workloads,
        boolean first,
        boolean profiles,
        ProfileExpectations rules,
        List<SqlExpectation> queries,
        Optional<RooflineExpectation> roofline,
        List<Relative> relatives,
        String method) {

    /** Plan of a class or test without profiles. */
    public static final ProfilePlan NONE = none("");

    /** Returns the plan of a test without profiles. */
    static ProfilePlan none(String method) {
        return new ProfilePlan(
                Optional.empty(),
                Optional.empty(),
                false,
                false,
                ProfileExpectations.DEFAULT,
                List.of(),
                Optional.empty(),
                List.of(),
                method);
    }

    /** Returns the name of a test method in plans. */
    static String name(Class<?> testClass, String testMethod) {
        return testClass.getName() + "#" + testMethod;
    }

    /** Returns the formats that every trace must have in addition to those that a capture requests. */
    public Set<TraceExport> exports() {
        return expectsTables() ? Set.of(TraceExport.TABLES) : Set.of();
    }

    /** Returns whether any expectation needs the tables of every trace. */
    public boolean expectsTables() {
        return !(rules.thresholds().isEmpty() && queries.isEmpty())
                && !expectationsOnTables().isEmpty();
    }

    /** Returns the texts of the expectations that need the tables of every trace, including traces of the test itself. */
    public List<String> expectationsOnTables() {
        return Stream.concat(
                        rules.thresholds().stream()
                                .filter(MetricExpectation::needsTables)
                                .map(MetricExpectation::toString),
                        queries.stream().map(SqlExpectation::words))
                .toList();
    }

    /**
     * A comparison with another test.
     *
     * @param other the name of its method in plans
     * @param threshold creates the expectation from the profile of the other test
     */
    public record Relative(String other, Function<Supplier<Optional<Profile>>, RelativeExpectation> threshold) {}

    /** Returns whether there is any expectation. */
    public boolean expectsSomething() {
        return !rules.thresholds().isEmpty() || !queries.isEmpty() || roofline.isPresent() || !relatives.isEmpty();
    }

    /** Returns the texts of all expectations. */
    public List<String> expectations() {
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

    /** Returns whether the test needs the profiler tool. */
    public boolean needsTool() {
        return neff.isPresent() || workloads.isPresent() || profiles;
    }
}
