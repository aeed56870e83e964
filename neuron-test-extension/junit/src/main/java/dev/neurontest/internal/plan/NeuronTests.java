package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotatedFields;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;
import static org.junit.platform.commons.support.ReflectionSupport.findMethods;
import static org.junit.platform.commons.support.ReflectionSupport.findNestedClasses;

import dev.neurontest.NeuronExtension;
import dev.neurontest.NeuronTest;
import dev.neurontest.internal.evidence.TestId;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.commons.JUnitException;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Finder of Neuron tests in a plan of JUnit's launcher. */
@API(status = API.Status.INTERNAL)
public final class NeuronTests {

    private static final String JUPITER = "junit-jupiter";

    private NeuronTests() {}

    /** Returns tests and templates, but not the classes around them. */
    public static List<TestIdentifier> in(TestPlan plan) {
        List<TestIdentifier> tests = new ArrayList<>();
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier each : plan.getDescendants(root)) {
                if (plan.getChildren(each).isEmpty() && isOne(plan, each)) {
                    tests.add(each);
                }
            }
        }
        return tests;
    }

    /**
     * Checks whether a test, or a container with unknown content, is a Neuron test, because of its own annotations or those of an enclosing
     * class.
     */
    public static boolean isOne(TestPlan plan, TestIdentifier leaf) {
        try {
            if (!isOfJupiter(leaf)) {
                return false;
            }
            Optional<TestSource> source = leaf.getSource();
            if (source.isPresent() && isNeuronTest(source.get())) {
                return true;
            }
            for (Class<?> testClass : classes(plan, leaf)) {
                if (isNeuronTest(testClass)) {
                    return true;
                }
            }
            return false;
        } catch (JUnitException | LinkageError notLoaded) {
            return false;
        }
    }

    /**
     * Returns the class of a test or container and its enclosing classes, as JUnit Jupiter nests them. These differ from Java's enclosing
     * classes: a nested class can be inherited, and a static nested class has its own tests.
     */
    public static List<Class<?>> classes(TestPlan plan, TestIdentifier test) {
        List<Class<?>> classes = new ArrayList<>();
        for (@Nullable TestIdentifier each = test;
                each != null && isOfJupiter(each);
                each = plan.getParent(each).orElse(null)) {
            @Nullable Class<?> testClass = classOf(each).orElse(null);
            if (testClass != null) {
                classes.add(testClass);
            }
        }
        return classes;
    }

    /** Checks whether JUnit Jupiter runs a test or container. */
    public static boolean isOfJupiter(TestIdentifier test) {
        return engine(test).equals(JUPITER);
    }

    /** Returns the innermost engine, because a suite engine contains other engines. */
    public static String engine(TestIdentifier test) {
        String engine = "";
        for (UniqueId.Segment segment : test.getUniqueIdObject().getSegments()) {
            engine = segment.getType().equals("engine") ? segment.getValue() : engine;
        }
        return engine;
    }

    /** Returns the class of a test or container; empty if it has none, or if the class cannot be loaded. */
    public static Optional<Class<?>> classOf(TestIdentifier test) {
        try {
            @Nullable TestSource source = test.getSource().orElse(null);
            return Optional.ofNullable(
                    source instanceof MethodSource method
                            ? method.getJavaClass()
                            : source instanceof ClassSource container ? container.getJavaClass() : null);
        } catch (JUnitException | LinkageError notLoaded) {
            return Optional.empty();
        }
    }

    public static TestId id(TestPlan plan, TestIdentifier test) {
        String name = test.getDisplayName();
        for (Optional<TestIdentifier> parent = plan.getParent(test);
                parent.isPresent() && plan.getParent(parent.get()).isPresent();
                parent = plan.getParent(parent.get())) {
            name = parent.get().getDisplayName() + " > " + name;
        }
        return new TestId(test.getUniqueId(), name);
    }

    private static boolean isNeuronTest(TestSource source) {
        return source instanceof MethodSource method
                ? carriesAnnotation(method.getJavaMethod())
                : source instanceof ClassSource template && hasNeuronTests(template.getJavaClass());
    }

    /** Checks a class with its nested classes. The plan does not contain them before a class template begins. */
    static boolean hasNeuronTests(Class<?> testClass) {
        return isNeuronTest(testClass)
                || !findMethods(testClass, NeuronTests::carriesAnnotation, HierarchyTraversalMode.BOTTOM_UP)
                        .isEmpty()
                || findNestedClasses(testClass, nested -> isAnnotated(nested, Nested.class)).stream()
                        .anyMatch(NeuronTests::hasNeuronTests);
    }

    /** Checks whether a class registers the extension for its tests and those of its nested classes. */
    public static boolean isNeuronTest(Class<?> testClass) {
        return carriesAnnotation(testClass) || !registeringFields(testClass).isEmpty();
    }

    /**
     * Checks whether a class or method carries {@link NeuronTest}, directly or by another annotation. The class loader of the tests may
     * have loaded {@code NeuronTest} a second time, as with Quarkus. Such an annotation counts too, although its extension does not report to
     * this library.
     */
    static boolean carriesAnnotation(AnnotatedElement element) {
        Class<?> place = element instanceof Member member ? member.getDeclaringClass() : (Class<?>) element;
        if (isAnnotated(element, NeuronTest.class)) {
            return true;
        }
        Optional<Class<? extends Annotation>> again = loadedFor(place);
        return again.isPresent() && isAnnotated(element, again.get());
    }

    /** Returns the annotation of a second class loader; empty if the class uses the one of this library, or none. */
    private static Optional<Class<? extends Annotation>> loadedFor(Class<?> place) {
        if (place.getClassLoader() == null || place.getClassLoader() == NeuronTest.class.getClassLoader()) {
            return Optional.empty();
        }
        try {
            return Optional.<Class<? extends Annotation>>of(
                            Class.forName(NeuronTest.class.getName(), false, place.getClassLoader())
                                    .asSubclass(Annotation.class))
                    .filter(again -> again != NeuronTest.class);
        } catch (ClassNotFoundException | LinkageError unused) {
            return Optional.empty();
        }
    }

    /** Returns the fields that register the extension. Types are compared by name, for the reason given in carriesAnnotation. */
    static List<Field> registeringFields(Class<?> testClass) {
        return findAnnotatedFields(testClass, RegisterExtension.class, field -> isExtension(field.getType()));
    }

    private static boolean isExtension(Class<?> fieldType) {
        for (@Nullable Class<?> type = fieldType; type != null; type = type.getSuperclass()) {
            if (type.getName().equals(NeuronExtension.class.getName())) {
                return true;
            }
        }
        return false;
    }
}
