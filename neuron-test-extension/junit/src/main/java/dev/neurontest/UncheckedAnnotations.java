package dev.neurontest;

import static java.util.stream.Collectors.joining;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;
import static org.junit.platform.commons.support.ReflectionSupport.findMethods;

import dev.neurontest.recording.Violation;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * Annotations of Neuron Test that have no effect where they are.
 *
 * @param element a class or method with annotations that the extension never reads
 * @param why it never does, the rest of a sentence
 */
record UncheckedAnnotations(AnnotatedElement element, String why) {

    private static final String ADVICE =
            "Only tests that JUnit Jupiter runs are checked. Move the annotation to such a test or its class, or remove it.";

    private static final List<Class<? extends Annotation>> AROUND_TESTS =
            List.of(BeforeAll.class, BeforeEach.class, AfterEach.class, AfterAll.class);

    private static final ClassValue<List<UncheckedAnnotations>> OF_JUPITER = new ClassValue<>() {
        @Override
        protected List<UncheckedAnnotations> computeValue(Class<?> testClass) {
            return annotatedMethods(testClass)
                    .flatMap(method -> whyNoTest(method).map(why -> new UncheckedAnnotations(method, why)).stream())
                    .toList();
        }
    };

    /** Returns those in a class of JUnit Jupiter: on methods that are no tests. */
    static List<UncheckedAnnotations> ofJupiter(Class<?> testClass) {
        return OF_JUPITER.get(testClass);
    }

    /** Returns those in a class of another engine: all. */
    static List<UncheckedAnnotations> ofEngine(String engine, Class<?> testClass) {
        String why = "the engine " + engine + " runs it";
        List<UncheckedAnnotations> all = new ArrayList<>();
        if (isAnnotated(testClass, NeuronTest.class)) {
            all.add(new UncheckedAnnotations(testClass, why));
        }
        annotatedMethods(testClass).forEach(method -> all.add(new UncheckedAnnotations(method, why)));
        return all;
    }

    /**
     * Fails a Neuron test of a class with such annotations.
     *
     * @param testClasses the class with those around it
     * @throws ExtensionConfigurationException that names all of them
     */
    static void refuse(List<Class<?>> testClasses) {
        List<UncheckedAnnotations> all =
                testClasses.stream().flatMap(each -> ofJupiter(each).stream()).toList();
        if (!all.isEmpty()) {
            throw new ExtensionConfigurationException(text(all));
        }
    }

    static String text(List<UncheckedAnnotations> all) {
        return all.stream().map(UncheckedAnnotations::toString).collect(joining("\n"));
    }

    private static Stream<Method> annotatedMethods(Class<?> testClass) {
        return findMethods(
                testClass,
                method -> !method.isSynthetic() && isAnnotated(method, NeuronTest.class),
                HierarchyTraversalMode.TOP_DOWN)
                .stream();
    }

    private static Optional<String> whyNoTest(Method method) {
        int modifiers = method.getModifiers();
        for (Class<? extends Annotation> around : AROUND_TESTS) {
            if (isAnnotated(method, around)) {
                return Optional.of("it is a @%s method".formatted(around.getSimpleName()));
            }
        }
        if (!isAnnotated(method, Testable.class)) {
            return Optional.of("the method is no test");
        }
        if (Modifier.isStatic(modifiers) || Modifier.isPrivate(modifiers)) {
            return Optional.of("JUnit runs no test method that is static or private");
        }
        return isAnnotated(method, Test.class) && method.getReturnType() != void.class
                ? Optional.of("JUnit runs no @Test method that returns a value")
                : Optional.empty();
    }

    Violation violation() {
        return new Violation(
                "annotations of Neuron Test are on tests of JUnit Jupiter",
                subject(),
                "a test of JUnit Jupiter",
                why,
                ADVICE);
    }

    private String subject() {
        String place = element instanceof Method method
                ? "%s.%s()".formatted(method.getDeclaringClass().getName(), method.getName())
                : ((Class<?>) element).getName();
        String names = Arrays.stream(element.getAnnotations())
                .map(Annotation::annotationType)
                .filter(type -> type == NeuronTest.class || isAnnotated(type, NeuronTest.class))
                .map(type -> "@"
                        + (type.getSimpleName().equals("List") && type.getEnclosingClass() != null
                                        ? type.getEnclosingClass()
                                        : type)
                                .getSimpleName())
                .distinct()
                .collect(joining(", "));
        return "%s on %s".formatted(names.isEmpty() ? "@NeuronTest" : names, place);
    }

    @Override
    public String toString() {
        return "%s is not checked, because %s. %s".formatted(subject(), why, ADVICE);
    }
}
