package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotatedMethods;
import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import java.lang.annotation.Annotation;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * Everything that a test or class will ask for, found before anything is leased: whoever takes all at once cannot
 * deadlock with another who does so too.
 */
final class Slots {

    private Slots() {}

    /** What a class asks for, for all its tests. */
    static Set<Slot> ofClass(Class<?> testClass, boolean oneInstanceByDefault) {
        List<Executable> executables = new ArrayList<>();
        if (hasOneInstance(testClass, oneInstanceByDefault)) {
            executables.addAll(List.of(testClass.getDeclaredConstructors()));
        }
        executables.addAll(methods(testClass, BeforeAll.class));
        executables.addAll(methods(testClass, AfterAll.class));
        return slots(executables);
    }

    /** What a test asks for, together with the instances and methods around it. */
    static Set<Slot> ofTest(List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        return slots(ofInstances(testClasses, testMethod, oneInstanceByDefault));
    }

    /** Whether a test cannot do without a fake host. */
    static boolean needFake(List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        return ofInstances(testClasses, testMethod, oneInstanceByDefault).stream()
                .flatMap(executable -> Stream.of(executable.getParameters()))
                .anyMatch(parameter ->
                        Injected.of(parameter).filter(Injected.FAKE::equals).isPresent());
    }

    private static List<Executable> ofInstances(
            List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        List<Executable> executables = new ArrayList<>();
        for (Class<?> each : testClasses) {
            if (!hasOneInstance(each, oneInstanceByDefault)) {
                executables.addAll(List.of(each.getDeclaredConstructors()));
            }
            executables.addAll(methods(each, BeforeEach.class));
            executables.addAll(methods(each, AfterEach.class));
        }
        executables.add(testMethod);
        return executables;
    }

    private static Set<Slot> slots(List<Executable> executables) {
        Set<Slot> slots = new LinkedHashSet<>();
        executables.forEach(executable -> slots.addAll(Slot.of(executable).values()));
        return slots;
    }

    private static List<Method> methods(Class<?> testClass, Class<? extends Annotation> annotation) {
        return findAnnotatedMethods(testClass, annotation, HierarchyTraversalMode.TOP_DOWN);
    }

    private static boolean hasOneInstance(Class<?> testClass, boolean byDefault) {
        return findAnnotation(testClass, TestInstance.class)
                .map(found -> found.value() == TestInstance.Lifecycle.PER_CLASS)
                .orElse(byDefault);
    }
}
