package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import dev.neurontest.profile.MetricThreshold;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileRules;
import dev.neurontest.profile.RelativeThreshold;
import dev.neurontest.profile.RooflineThreshold;
import dev.neurontest.profile.capture.Profiler;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * What a test wants profiled, and how that is judged.
 *
 * @param neff what the profiler tool executes by itself
 * @param workloads how workloads are traced
 * @param first whether the NEFF is there, and wanted, when the test begins
 * @param profiles whether the test makes profiles itself
 * @param rules what they are judged by
 * @param roofline what they have to reach of it
 * @param relatives tests that they are held against
 * @param method the test method, by which others hold theirs against this one's
 */
record ProfilePlan(
        Optional<ProfileNeff> neff,
        Optional<ProfileWorkloads> workloads,
        boolean first,
        boolean profiles,
        ProfileRules rules,
        Optional<RooflineThreshold> roofline,
        List<Relative> relatives,
        String method) {

    /** For whatever has nothing to do with profiles. */
    static final ProfilePlan NONE = new ProfilePlan(
            Optional.empty(), Optional.empty(), false, false, ProfileRules.DEFAULT, Optional.empty(), List.of(), "");

    /**
     * A demand beside another test.
     *
     * @param other its method, as a plan names it
     * @param threshold holds a profile against that of the other
     */
    record Relative(String other, Function<Supplier<Optional<Profile>>, RelativeThreshold> threshold) {}

    static ProfilePlan of(List<Class<?>> testClasses, Method testMethod, List<Parameter> parameters) {
        Optional<ProfileNeff> neff = nearest(testClasses, testMethod, ProfileNeff.class);
        Optional<ProfileWorkloads> workloads = nearest(testClasses, testMethod, ProfileWorkloads.class);
        boolean first = parameters.stream().anyMatch(parameter -> parameter.getType() == Profile.class);
        boolean profiles = parameters.stream().anyMatch(parameter -> parameter.getType() == Profiler.class);
        ProfileRules rules = ProfileDemands.ofTest(testClasses, testMethod);
        neff.ifPresent(wanted -> check(wanted, testMethod));
        if (first && neff.isEmpty()) {
            throw new ExtensionConfigurationException(testMethod
                    + " takes a Profile, but nothing says of what. Annotate it with @ProfileNeff(\"model.neff\"),"
                    + " or take a Profiler.");
        }
        Class<?> testClass = testClasses.get(testClasses.size() - 1);
        ProfilePlan plan = new ProfilePlan(
                neff,
                workloads,
                first,
                profiles,
                rules,
                ProfileDemands.roofline(testClasses, testMethod),
                ProfileDemands.relatives(testClass, testMethod),
                name(testClass, testMethod.getName()));
        if (!plan.demands().isEmpty() && !plan.needsTool()) {
            throw new ExtensionConfigurationException(
                    "%s demands %s, but nothing is profiled. Annotate it with @ProfileNeff(\"model.neff\") or"
                                    .formatted(testMethod, plan.demands().get(0))
                            + " @ProfileWorkloads, or take a Profiler.");
        }
        return plan;
    }

    /** How plans name a test method. */
    static String name(Class<?> testClass, String testMethod) {
        return testClass.getName() + "#" + testMethod;
    }

    /** Everything that is demanded, in the user's words. */
    List<String> demands() {
        return Stream.of(
                        rules.thresholds().stream().map(MetricThreshold::toString),
                        roofline.stream().map(RooflineThreshold::words),
                        relatives.stream()
                                .map(each ->
                                        each.threshold().apply(Optional::empty).words()))
                .flatMap(Function.identity())
                .toList();
    }

    private static void check(ProfileNeff wanted, Method testMethod) {
        if (wanted.warmup() < 0 || wanted.executions() < 1 || wanted.captures() < 1) {
            throw new ExtensionConfigurationException(
                    "%s of %s: warmup is at least 0, executions and captures are at least 1."
                            .formatted(wanted, testMethod));
        }
        for (String input : wanted.inputs()) {
            if (input.indexOf('=') < 1) {
                throw new ExtensionConfigurationException(
                        "%s of %s: the input \"%s\" is no name=path.".formatted(wanted, testMethod, input));
            }
        }
    }

    /** Whether the profiler tool executes something on the cores of a test. */
    static boolean replays(List<Class<?>> testClasses, Method testMethod) {
        return nearest(testClasses, testMethod, ProfileNeff.class).isPresent();
    }

    /** Whether there has to be a tool. */
    boolean needsTool() {
        return neff.isPresent() || workloads.isPresent() || profiles;
    }

    private static <A extends Annotation> Optional<A> nearest(
            List<Class<?>> testClasses, Method testMethod, Class<A> annotation) {
        List<AnnotatedElement> elements = new ArrayList<>(testClasses);
        elements.add(testMethod);
        return elements.stream()
                .flatMap(element -> findAnnotation(element, annotation).stream())
                .reduce((outer, inner) -> inner);
    }
}
