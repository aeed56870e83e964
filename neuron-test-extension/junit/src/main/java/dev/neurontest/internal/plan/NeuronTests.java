package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotatedFields;
import static org.junit.platform.commons.support.AnnotationSupport.findAnnotatedMethods;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;
import static org.junit.platform.commons.support.ReflectionSupport.findNestedClasses;

import dev.neurontest.NeuronExtension;
import dev.neurontest.NeuronTest;
import dev.neurontest.internal.evidence.TestId;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
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
        return plan.getRoots().stream()
                .flatMap(root -> plan.getDescendants(root).stream())
                .filter(each -> plan.getChildren(each).isEmpty() && isOne(plan, each))
                .toList();
    }

    /**
     * Checks whether a test, or a container with unknown content, is a Neuron test, because of its own annotations or those of an enclosing
     * class.
     */
    public static boolean isOne(TestPlan plan, TestIdentifier leaf) {
        try {
            return isOfJupiter(leaf)
                    && (leaf.getSource().filter(NeuronTests::isNeuronTest).isPresent()
                            || classes(plan, leaf).anyMatch(NeuronTests::isNeuronTest));
        } catch (JUnitException | LinkageError notLoaded) {
            return false;
        }
    }

    /**
     * Returns the class of a test or container and its enclosing classes, as JUnit Jupiter nests them. These differ from Java's enclosing
     * classes: a nested class can be inherited, and a static nested class has its own tests.
     */
    public static Stream<Class<?>> classes(TestPlan plan, TestIdentifier test) {
        return Stream.iterate(Optional.of(test), each -> each.flatMap(plan::getParent))
                .takeWhile(each -> each.filter(NeuronTests::isOfJupiter).isPresent())
                .flatMap(each -> each.flatMap(NeuronTests::classOf).stream());
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
            return test.getSource()
                    .flatMap(source -> Optional.ofNullable(
                            source instanceof MethodSource method
                                    ? method.getJavaClass()
                                    : source instanceof ClassSource container ? container.getJavaClass() : null));
        } catch (JUnitException | LinkageError notLoaded) {
            return Optional.empty();
        }
    }

    public static TestId id(TestPlan plan, TestIdentifier test) {
        String name = test.getDisplayName();
        for (Optional<TestIdentifier> parent = plan.getParent(test);
                parent.flatMap(plan::getParent).isPresent();
                parent = plan.getParent(parent.get())) {
            name = parent.get().getDisplayName() + " > " + name;
        }
        return new TestId(test.getUniqueId(), name);
    }

    private static boolean isNeuronTest(TestSource source) {
        return source instanceof MethodSource method
                ? isAnnotated(method.getJavaMethod(), NeuronTest.class)
                : source instanceof ClassSource template && hasNeuronTests(template.getJavaClass());
    }

    /** Checks a class with its nested classes. The plan does not contain them before a class template begins. */
    static boolean hasNeuronTests(Class<?> testClass) {
        return isNeuronTest(testClass)
                || !findAnnotatedMethods(testClass, NeuronTest.class, HierarchyTraversalMode.BOTTOM_UP)
                        .isEmpty()
                || findNestedClasses(testClass, nested -> isAnnotated(nested, Nested.class)).stream()
                        .anyMatch(NeuronTests::hasNeuronTests);
    }

    /** Checks whether a class registers the extension for its tests and those of its nested classes. */
    static boolean isNeuronTest(Class<?> testClass) {
        return isAnnotated(testClass, NeuronTest.class)
                || !registeringFields(testClass).isEmpty();
    }

    static List<Field> registeringFields(Class<?> testClass) {
        return findAnnotatedFields(
                testClass, RegisterExtension.class, field -> NeuronExtension.class.isAssignableFrom(field.getType()));
    }
}
