package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotatedFields;
import static org.junit.platform.commons.support.AnnotationSupport.findAnnotatedMethods;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import dev.neurontest.evidence.TestId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.commons.JUnitException;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** The Neuron tests of a plan of JUnit's launcher. */
final class NeuronTests {

    private static final String JUPITER = "junit-jupiter";

    private NeuronTests() {}

    /** Returns tests and templates, but not the classes around them. */
    static List<TestIdentifier> in(TestPlan plan) {
        return plan.getRoots().stream()
                .flatMap(root -> plan.getDescendants(root).stream())
                .filter(each -> plan.getChildren(each).isEmpty() && isOne(each))
                .toList();
    }

    /** Checks whether a test, or a container whose content is unknown, is a Neuron test. */
    static boolean isOne(TestIdentifier leaf) {
        try {
            return isOfJupiter(leaf)
                    && leaf.getSource().filter(NeuronTests::isNeuronTest).isPresent();
        } catch (JUnitException | LinkageError notLoaded) {
            return false;
        }
    }

    /** Checks whether JUnit Jupiter runs a test or container. */
    static boolean isOfJupiter(TestIdentifier test) {
        return engine(test).equals(JUPITER);
    }

    /** Returns the innermost engine, since a suite has engines inside its own. */
    static String engine(TestIdentifier test) {
        return test.getUniqueIdObject().getSegments().stream()
                .filter(segment -> segment.getType().equals("engine"))
                .reduce((outer, inner) -> inner)
                .map(UniqueId.Segment::getValue)
                .orElse("");
    }

    /** Returns the class of a test or container; empty where it has none, or none that can be loaded. */
    static Optional<Class<?>> classOf(TestIdentifier test) {
        try {
            return test.getSource()
                    .flatMap(source -> Optional.ofNullable(
                            source instanceof MethodSource method
                                    ? method.getJavaClass()
                                    : source instanceof ClassSource its ? its.getJavaClass() : null));
        } catch (JUnitException | LinkageError notLoaded) {
            return Optional.empty();
        }
    }

    static TestId id(TestPlan plan, TestIdentifier test) {
        String name = test.getDisplayName();
        for (Optional<TestIdentifier> parent = plan.getParent(test);
                parent.flatMap(plan::getParent).isPresent();
                parent = plan.getParent(parent.get())) {
            name = parent.get().getDisplayName() + " > " + name;
        }
        return new TestId(test.getUniqueId(), name);
    }

    private static boolean isNeuronTest(TestSource source) {
        if (source instanceof MethodSource method) {
            return isAnnotated(method.getJavaMethod(), NeuronTest.class) || isNeuronTest(method.getJavaClass());
        }
        return source instanceof ClassSource template
                && (isNeuronTest(template.getJavaClass())
                        || !findAnnotatedMethods(
                                        template.getJavaClass(), NeuronTest.class, HierarchyTraversalMode.BOTTOM_UP)
                                .isEmpty());
    }

    private static boolean isNeuronTest(Class<?> testClass) {
        for (Class<?> each = testClass; each != null; each = each.getEnclosingClass()) {
            if (isAnnotated(each, NeuronTest.class)
                    || !findAnnotatedFields(
                                    each,
                                    RegisterExtension.class,
                                    field -> NeuronExtension.class.isAssignableFrom(field.getType()))
                            .isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
