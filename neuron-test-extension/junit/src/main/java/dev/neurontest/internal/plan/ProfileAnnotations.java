package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import dev.neurontest.ExpectCleanProfile;
import dev.neurontest.MaxMemory;
import dev.neurontest.MetricLimit;
import dev.neurontest.MinOfRoofline;
import dev.neurontest.ProfileNeff;
import dev.neurontest.ProfileSql;
import dev.neurontest.ProfileWorkloads;
import dev.neurontest.RelativeToTest;
import dev.neurontest.Threshold;
import dev.neurontest.internal.profile.table.RowsExpectation;
import dev.neurontest.internal.profile.threshold.InstructionPlace;
import dev.neurontest.internal.profile.threshold.ProfileQueries;
import dev.neurontest.internal.profile.threshold.RelativeExpectation;
import dev.neurontest.internal.profile.threshold.RooflineExpectation;
import dev.neurontest.internal.profile.threshold.SqlExpectation;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.MetricExpectation;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import dev.neurontest.profile.Profiler;
import dev.neurontest.profile.Statistic;
import dev.neurontest.profile.TraceExport;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Reader of annotations with thresholds, from the outermost class to the method. The annotation nearest to the test wins. An invalid
 * annotation is an error in the test before anything runs.
 */
final class ProfileAnnotations {

    private ProfileAnnotations() {}

    /** Returns the plan of a test for profiles. */
    static ProfilePlan plan(List<Class<?>> testClasses, Method testMethod, List<Parameter> parameters) {
        NearestAnnotations nearest = NearestAnnotations.to(testClasses, testMethod);
        Optional<ProfileNeff> neff = nearest.nearest(ProfileNeff.class);
        boolean first = parameters.stream().anyMatch(parameter -> parameter.getType() == Profile.class);
        boolean profiles = parameters.stream().anyMatch(parameter -> parameter.getType() == Profiler.class);
        neff.ifPresent(annotation -> check(annotation, testMethod));
        ProfileExpectations rules = ofTest(testClasses, testMethod);
        List<SqlExpectation> queries = queries(nearest);
        if (first && neff.isEmpty()) {
            throw Misuse.of(testMethod
                    + " takes a Profile, but does not select what to profile. Annotate it with @ProfileNeff(\"model.neff\"),"
                    + " or take a Profiler.");
        }
        Class<?> testClass = testClasses.get(testClasses.size() - 1);
        ProfilePlan plan = new ProfilePlan(
                neff.map(ProfileAnnotations::replay),
                nearest.nearest(ProfileWorkloads.class)
                        .map(annotation -> new WorkloadTrace(
                                annotation.graph(),
                                annotation.session(),
                                annotation.warmup(),
                                exports(false, false, annotation.tables()))),
                first,
                profiles,
                rules,
                queries,
                roofline(testClasses, testMethod),
                relatives(nearest, testClass, testMethod),
                ProfilePlan.name(testClass, testMethod.getName()));
        if (plan.expectsSomething() && !plan.needsTool()) {
            throw Misuse.of("%s expects %s, but nothing is profiled. Annotate it with @ProfileNeff(\"model.neff\") or"
                            .formatted(testMethod, plan.expectations().get(0))
                    + " @ProfileWorkloads, or take a Profiler.");
        }
        return plan;
    }

    /** Returns whether the profiler tool executes a model on the cores of a test. */
    static boolean replays(List<Class<?>> testClasses, Method testMethod) {
        return NearestAnnotations.to(testClasses, testMethod)
                .nearest(ProfileNeff.class)
                .isPresent();
    }

    private static NeffReplay replay(ProfileNeff annotation) {
        return new NeffReplay(
                annotation.value(),
                annotation.warmup(),
                annotation.executions(),
                annotation.captures(),
                List.of(annotation.inputs()),
                annotation.ignoreExecErrors(),
                annotation.singleIo(),
                annotation.dgeNotifications(),
                exports(annotation.perfetto(), annotation.fullJson(), annotation.tables()));
    }

    private static Set<TraceExport> exports(boolean perfetto, boolean fullJson, boolean tables) {
        Set<TraceExport> exports = EnumSet.noneOf(TraceExport.class);
        if (perfetto) {
            exports.add(TraceExport.PERFETTO);
        }
        if (fullJson) {
            exports.add(TraceExport.FULL_JSON);
        }
        if (tables) {
            exports.add(TraceExport.TABLES);
        }
        return exports;
    }

    private static void check(ProfileNeff annotation, Method testMethod) {
        if (annotation.warmup() < 0 || annotation.executions() < 1 || annotation.captures() < 1) {
            throw Misuse.of("%s of %s: warmup must be at least 0, executions and captures at least 1."
                    .formatted(AnnotationText.of(annotation), testMethod));
        }
        for (String input : annotation.inputs()) {
            if (input.indexOf('=') < 1) {
                throw Misuse.of("%s of %s: the input \"%s\" does not have the form name=path."
                        .formatted(AnnotationText.of(annotation), testMethod, input));
            }
        }
    }

    static ProfileExpectations ofTest(List<Class<?>> testClasses, Method testMethod) {
        NearestAnnotations nearest = NearestAnnotations.to(testClasses, testMethod);
        Map<MetricExpectation, Annotation> limits = new LinkedHashMap<>();
        nearest.carrying(MetricLimit.class)
                .forEach(limit -> stated(() -> limits(limit)).forEach(each -> limits.put(each, limit)));
        nearest.of(Threshold.class, limit -> limit.metric() + "\n" + limit.line() + "\n" + limit.layer())
                .forEach(limit -> limits.put(stated(() -> threshold(limit)), limit));
        nearest.requireCompatible(limits, MetricExpectation::excludes);
        nearest.nearest(ProfileNeff.class)
                .ifPresent(neff -> limits.forEach((expectation, limit) ->
                        requireEnough(nearest.withPlace(limit), expectation, nearest.withPlace(neff), replay(neff))));
        ProfileExpectations.Builder rules = ProfileExpectations.builder();
        limits.keySet().forEach(rules::expect);
        return rules.build();
    }

    /** Requires at least as many traced executions as the statistic of a limit needs. */
    private static void requireEnough(String limit, MetricExpectation expectation, String neff, NeffReplay replay) {
        int leftOut = expectation.isOfTime() && replay.warmup() == 0 ? 1 : 0;
        int needed = expectation.over().needed();
        long counted = (long) replay.captures() * (replay.executions() - leftOut);
        if (counted < needed) {
            throw Misuse.of("%s needs %s, but %s traces %s%s. Set executions = %s in @ProfileNeff%s."
                    .formatted(
                            limit,
                            CountText.of(needed, "execution"),
                            neff,
                            counted,
                            leftOut == 0 ? "" : " after the first, whose time includes start-up",
                            (needed + replay.captures() - 1) / replay.captures() + leftOut,
                            needed == 1 ? "" : ", or limit another statistic"));
        }
    }

    private static MetricExpectation threshold(Threshold limit) {
        long given = Stream.of(limit.metric(), limit.line(), limit.layer())
                .filter(name -> !name.isBlank())
                .count();
        if (given > 1) {
            throw new IllegalArgumentException(
                    "@Threshold(metric = \"%s\", line = \"%s\", layer = \"%s\") names more than one thing: state a threshold for each."
                            .formatted(limit.metric(), limit.line(), limit.layer()));
        }
        if (limit.line().isBlank() && limit.layer().isBlank()) {
            return MetricExpectation.of(limit.metric(), limit.max(), limit.min(), limit.over());
        }
        InstructionPlace place = limit.line().isBlank()
                ? new InstructionPlace(Grouping.LAYER, limit.layer())
                : new InstructionPlace(Grouping.LINE, limit.line());
        return MetricExpectation.time(place, limit.max(), limit.min(), limit.over(), AnnotationText.of(limit));
    }

    /** Returns the expectations on the tables of the profile. */
    private static List<SqlExpectation> queries(NearestAnnotations nearest) {
        Map<SqlExpectation, ProfileSql> ofUser = new LinkedHashMap<>();
        nearest.of(ProfileSql.class, ProfileSql::value).forEach(query -> {
            String words = AnnotationText.of(query);
            ofUser.put(
                    stated(
                            words,
                            () -> new SqlExpectation(
                                    query.value(),
                                    query.value(),
                                    RowsExpectation.within(query.max(), query.min()),
                                    words)),
                    query);
        });
        nearest.requireCompatible(
                ofUser,
                (some, other) ->
                        some.sql().equals(other.sql()) && some.expectation().excludes(other.expectation()));
        List<SqlExpectation> queries = new ArrayList<>(ofUser.keySet());
        nearest.nearest(ExpectCleanProfile.class).ifPresent(clean -> {
            String words = AnnotationText.of(clean);
            queries.add(ProfileQueries.noWarnings(List.of(clean.warnings()), words));
            queries.add(ProfileQueries.noHardwareErrors(words));
            queries.add(ProfileQueries.throttledAtMost(stated(words, () -> Fraction.parse(clean.throttled())), words));
        });
        nearest.of(MaxMemory.class, MaxMemory::usage).forEach(limit -> queries.addAll(memory(limit)));
        return queries;
    }

    private static List<SqlExpectation> memory(MaxMemory limit) {
        String words = AnnotationText.of(limit);
        List<SqlExpectation> limits = new ArrayList<>();
        limited(limit.hbm(), Unit.BYTES, words, max -> limits.add(ProfileQueries.hbm(limit.usage(), max, words)));
        limited(limit.sbuf(), Unit.FRACTION, words, max -> limits.add(ProfileQueries.onChip("Sbuf", max, words)));
        limited(limit.psum(), Unit.FRACTION, words, max -> limits.add(ProfileQueries.onChip("Psum", max, words)));
        limited(limit.tensor(), Unit.BYTES, words, max -> limits.add(ProfileQueries.tensor(max, words)));
        if (limits.isEmpty() || limit.hbm().isBlank() && !limit.usage().isBlank()) {
            throw Misuse.of(words
                    + (limits.isEmpty()
                            ? " expects nothing: set a limit for hbm, sbuf, psum or tensor."
                            : " names a usage of HBM, but no limit for it: set hbm."));
        }
        return limits;
    }

    private static void limited(String max, Unit unit, String words, Consumer<String> add) {
        if (!max.isBlank()) {
            stated(words, () -> Quantity.parse(max, unit));
            add.accept(max);
        }
    }

    private static Optional<Fraction> share(String words, String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(stated(words, () -> Fraction.parse(text)));
    }

    private static <T> T stated(String words, Supplier<T> expectation) {
        try {
            return expectation.get();
        } catch (IllegalArgumentException impossible) {
            throw Misuse.of(words + ": " + impossible.getMessage(), impossible);
        }
    }

    private static Optional<RooflineExpectation> roofline(List<Class<?>> testClasses, Method testMethod) {
        return NearestAnnotations.to(testClasses, testMethod)
                .nearest(MinOfRoofline.class)
                .map(limit -> {
                    String words = AnnotationText.of(limit);
                    return new RooflineExpectation(stated(words, () -> Fraction.parse(limit.value())), words);
                });
    }

    private static List<ProfilePlan.Relative> relatives(
            NearestAnnotations nearest, Class<?> testClass, Method testMethod) {
        Map<ProfilePlan.Relative, RelativeToTest> stated = new LinkedHashMap<>();
        findRepeatableAnnotations(testMethod, RelativeToTest.class)
                .forEach(expectation -> stated.put(relative(testClass, testMethod, expectation), expectation));
        nearest.requireCompatible(
                stated,
                (some, other) -> some.other().equals(other.other()) && excludes(stated.get(some), stated.get(other)));
        return List.copyOf(stated.keySet());
    }

    private static boolean excludes(RelativeToTest some, RelativeToTest other) {
        return some.metric().equals(other.metric()) && (isBelow(some, other) || isBelow(other, some));
    }

    /** Returns whether the largest share of one expectation is below the smallest share of the other. */
    private static boolean isBelow(RelativeToTest some, RelativeToTest other) {
        Optional<Fraction> max = share(AnnotationText.of(some), some.max());
        Optional<Fraction> min = share(AnnotationText.of(other), other.min());
        return max.isPresent() && min.isPresent() && max.get().compareTo(min.get()) < 0;
    }

    private static ProfilePlan.Relative relative(Class<?> testClass, Method testMethod, RelativeToTest expectation) {
        Class<?> baseClass = expectation.type() == void.class ? testClass : expectation.type();
        String words = AnnotationText.of(expectation);
        Optional<Fraction> max = share(words, expectation.max());
        Optional<Fraction> min = share(words, expectation.min());
        if (max.isEmpty() && min.isEmpty()) {
            throw Misuse.of(words + " expects nothing: set max or min.");
        }
        if (isBelow(expectation, expectation)) {
            throw Misuse.of(words + " cannot be met: min is greater than max.");
        }
        boolean exists = !ReflectionSupport.findMethods(
                        baseClass,
                        method -> method.getName().equals(expectation.method()),
                        HierarchyTraversalMode.TOP_DOWN)
                .isEmpty();
        if (!exists || baseClass == testClass && expectation.method().equals(testMethod.getName())) {
            throw Misuse.of("%s: %s"
                    .formatted(
                            words,
                            exists
                                    ? "it compares the test with itself."
                                    : "there is no method %s in %s."
                                            .formatted(expectation.method(), baseClass.getName())));
        }
        return new ProfilePlan.Relative(
                ProfilePlan.name(baseClass, expectation.method()),
                profile -> new RelativeExpectation(
                        expectation.metric(),
                        max,
                        min,
                        baseClass.getSimpleName() + "." + expectation.method(),
                        profile,
                        words));
    }

    /** Reads an annotation that has the meta-annotation {@link MetricLimit}. */
    private static List<MetricExpectation> limits(Annotation annotation) {
        Class<? extends Annotation> type = annotation.annotationType();
        String words = AnnotationText.of(annotation);
        String limit = Objects.toString(member(annotation, "value"), "");
        String over = Objects.toString(member(annotation, "over"), Statistic.MEDIAN.toString());
        if (member(annotation, "of") instanceof Latency latency) {
            return List.of(MetricExpectation.latency(latency, limit, over, words));
        }
        MetricLimit limited = type.getAnnotation(MetricLimit.class);
        List<MetricExpectation> limits = Stream.concat(
                        Stream.of(limited.atMost()).map(metric -> MetricExpectation.of(metric, limit, "", over, words)),
                        Stream.of(limited.atLeast())
                                .map(metric -> MetricExpectation.of(metric, "", limit, over, words)))
                .toList();
        if (limits.isEmpty()) {
            throw new IllegalArgumentException(words + " limits nothing: name a metric in its @MetricLimit.");
        }
        return limits;
    }

    private static @Nullable Object member(Annotation annotation, String name) {
        return ReflectionSupport.findMethod(annotation.annotationType(), name)
                .map(member -> ReflectionSupport.invokeMethod(member, annotation))
                .orElse(null);
    }

    /** Returns an expectation and translates its exceptions; their messages begin with the annotation. */
    private static <T> T stated(Supplier<T> expectation) {
        try {
            return expectation.get();
        } catch (IllegalArgumentException impossible) {
            throw Misuse.of(impossible.getMessage(), impossible);
        }
    }
}
