package dev.neurontest.internal.plan;

import static java.util.stream.Collectors.joining;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;
import static org.junit.platform.commons.support.ReflectionSupport.findMethods;

import dev.neurontest.NeuronTest;
import dev.neurontest.internal.judgement.Mistake;
import dev.neurontest.internal.judgement.Violation;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * Annotations of Neuron Test that have no effect at their place.
 *
 * @param element a class, method or field with annotations that the extension never reads
 * @param why the reason, as the end of a sentence
 */
@API(status = API.Status.INTERNAL)
public record UncheckedAnnotations(AnnotatedElement element, String why) {

    private static final String ADVICE =
            "Only tests that JUnit Jupiter runs are checked. Make it such a test, move the annotation to such a test or its class, or remove the annotation.";

    private static final List<Class<? extends Annotation>> AROUND_TESTS =
            List.of(BeforeAll.class, BeforeEach.class, AfterEach.class, AfterAll.class);

    private static final List<Class<? extends Annotation>> TESTS =
            List.of(Test.class, TestFactory.class, TestTemplate.class);

    private static final ClassValue<List<UncheckedAnnotations>> OF_JUPITER = new ClassValue<>() {
        @Override
        protected List<UncheckedAnnotations> computeValue(Class<?> testClass) {
            List<UncheckedAnnotations> all = new ArrayList<>();
            for (Method method : methods(
                    testClass,
                    method -> NeuronTests.carriesAnnotation(method) || isTest(method) && isNeuronTest(testClass))) {
                add(method, whyNoTest(method), all);
            }
            for (Class<?> inner : innerClasses(testClass)) {
                add(inner, whyNotNested(inner), all);
            }
            return all;
        }
    };

    /** Returns the unchecked annotations in a class of JUnit Jupiter: on methods and inner classes that JUnit does not run as tests. */
    public static List<UncheckedAnnotations> ofJupiter(Class<?> testClass) {
        return OF_JUPITER.get(testClass);
    }

    /** Returns the unchecked annotations in a class of another engine: all except those on tests of JUnit Jupiter in the same class. */
    public static List<UncheckedAnnotations> ofEngine(String engine, Class<?> testClass) {
        List<UncheckedAnnotations> all = new ArrayList<>();
        if (NeuronTests.carriesAnnotation(testClass)) {
            all.add(new UncheckedAnnotations(testClass, "the engine %s runs tests of it".formatted(engine)));
        }
        Stream.concat(
                        NeuronTests.registeringFields(testClass).stream(),
                        methods(testClass, method -> NeuronTests.carriesAnnotation(method) && !isTest(method)).stream())
                .forEach(each -> all.add(new UncheckedAnnotations(each, "the engine %s runs it".formatted(engine))));
        return all;
    }

    /**
     * Fails a Neuron test if its class or an enclosing class has unchecked annotations.
     *
     * @param testClasses the class with its enclosing classes
     * @throws ExtensionConfigurationException with all unchecked annotations in its message
     */
    static void refuse(List<Class<?>> testClasses) {
        List<UncheckedAnnotations> all = new ArrayList<>();
        for (Class<?> each : testClasses) {
            all.addAll(ofJupiter(each));
        }
        if (!all.isEmpty()) {
            throw Misuse.of(text(all));
        }
    }

    public static String text(List<UncheckedAnnotations> all) {
        return all.stream().map(UncheckedAnnotations::toString).collect(joining("\n"));
    }

    private static void add(AnnotatedElement element, Optional<String> reason, List<UncheckedAnnotations> all) {
        if (reason.isPresent()) {
            all.add(new UncheckedAnnotations(element, reason.get()));
        }
    }

    private static List<Method> methods(Class<?> testClass, Predicate<Method> which) {
        return findMethods(
                testClass, method -> !method.isSynthetic() && which.test(method), HierarchyTraversalMode.TOP_DOWN);
    }

    /** Returns inner and nested classes with Neuron tests, except abstract ones and those that another of them extends. */
    private static List<Class<?>> innerClasses(Class<?> testClass) {
        List<Class<?>> all = new ArrayList<>();
        for (@Nullable Class<?> each = testClass; each != null; each = each.getSuperclass()) {
            all.addAll(List.of(each.getDeclaredClasses()));
        }
        List<Class<?>> withTests = new ArrayList<>();
        for (Class<?> inner : all) {
            if (!Modifier.isAbstract(inner.getModifiers())
                    && all.stream().noneMatch(other -> other != inner && inner.isAssignableFrom(other))
                    && NeuronTests.hasNeuronTests(inner)) {
                withTests.add(inner);
            }
        }
        return withTests;
    }

    private static Optional<String> whyNotNested(Class<?> inner) {
        boolean isStatic = Modifier.isStatic(inner.getModifiers());
        if (isAnnotated(inner, Nested.class)) {
            return isStatic || Modifier.isPrivate(inner.getModifiers())
                    ? Optional.of("JUnit does not run a @Nested class that is static or private")
                    : Optional.empty();
        }
        return isStatic ? Optional.empty() : Optional.of("JUnit does not run an inner class without @Nested");
    }

    /** Checks whether a class, or the class around a nested class, registers the extension. */
    private static boolean isNeuronTest(Class<?> testClass) {
        return NeuronTests.isNeuronTest(testClass)
                || isAnnotated(testClass, Nested.class)
                        && testClass.getEnclosingClass() != null
                        && isNeuronTest(testClass.getEnclosingClass());
    }

    private static boolean isTest(Method method) {
        for (Class<? extends Annotation> type : TESTS) {
            if (isAnnotated(method, type)) {
                return true;
            }
        }
        return false;
    }

    private static Optional<String> whyNoTest(Method method) {
        for (Class<? extends Annotation> annotation : AROUND_TESTS) {
            if (isAnnotated(method, annotation)) {
                return Optional.of("it is a @%s method".formatted(annotation.getSimpleName()));
            }
        }
        if (!isTest(method)) {
            return Optional.of("the method is not a test");
        }
        if (Modifier.isStatic(method.getModifiers()) || Modifier.isPrivate(method.getModifiers())) {
            return Optional.of("JUnit does not run a test method that is static or private");
        }
        boolean returnsNothing = method.getReturnType() == void.class;
        if (isAnnotated(method, TestFactory.class)) {
            return returnsNothing
                    ? Optional.of("JUnit does not run a @TestFactory method that returns nothing")
                    : Optional.empty();
        }
        return returnsNothing ? Optional.empty() : Optional.of("JUnit does not run a test method that returns a value");
    }

    public Violation violation() {
        return new Violation(Mistake.UNCHECKED, subject(), "a test of JUnit Jupiter", why, ADVICE);
    }

    private String subject() {
        String place = element instanceof Member member
                ? "%s.%s%s"
                        .formatted(
                                member.getDeclaringClass().getName(),
                                member.getName(),
                                member instanceof Method ? "()" : "")
                : ((Class<?>) element).getName();
        String names = names(type -> type.getName().equals(NeuronTest.class.getName())
                || type == RegisterExtension.class
                || NeuronTests.carriesAnnotation(type));
        if (names.isEmpty()) {
            names = element instanceof Method method && isTest(method)
                    ? names(type -> TESTS.contains(type) || TESTS.stream().anyMatch(test -> isAnnotated(type, test)))
                    : "@NeuronTest";
        }
        return "%s on %s".formatted(names, place);
    }

    private String names(Predicate<Class<? extends Annotation>> which) {
        return Arrays.stream(element.getAnnotations())
                .map(Annotation::annotationType)
                .filter(which)
                .map(type -> "@"
                        + (type.getSimpleName().equals("List") && type.getEnclosingClass() != null
                                        ? type.getEnclosingClass()
                                        : type)
                                .getSimpleName())
                .distinct()
                .collect(joining(", "));
    }

    @Override
    public String toString() {
        return "%s is not checked, because %s. %s".formatted(subject(), why, ADVICE);
    }
}
