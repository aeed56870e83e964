package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.judgement.Mistake;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.plan.NeuronTests;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * A parameter of Neuron Test in a class that does not register the extension, so that JUnit found no resolver for it.
 *
 * @param testClass the class without {@code @NeuronTest}
 */
record UnresolvedParameter(Class<?> testClass, Parameter parameter) {

    /** Returns the parameter that JUnit's failure names; empty if the failure has another cause. */
    static Optional<UnresolvedParameter> of(TestPlan plan, TestIdentifier test, Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        List<Class<?>> classes = NeuronTests.classes(plan, test);
        if (!(failure instanceof ParameterResolutionException)
                || classes.stream().anyMatch(NeuronTests::isNeuronTest)) {
            return Optional.empty();
        }
        return classes.stream()
                .flatMap(each -> executables(each)
                        .flatMap(executable -> Stream.of(executable.getParameters()))
                        .filter(parameter ->
                                message.contains("No ParameterResolver registered for parameter [" + parameter + "]")
                                        && ParameterValues.isProvided(parameter))
                        .map(parameter -> new UnresolvedParameter(each, parameter)))
                .findFirst();
    }

    private static Stream<Executable> executables(Class<?> testClass) {
        return Stream.concat(
                Stream.of(testClass.getDeclaredConstructors()),
                ReflectionSupport.findMethods(testClass, method -> true, HierarchyTraversalMode.TOP_DOWN).stream());
    }

    Violation violation() {
        return new Violation(
                Mistake.UNRESOLVED,
                subject(),
                "@NeuronTest on " + testClass.getName(),
                "no extension that provides it",
                advice());
    }

    private String subject() {
        Executable executable = parameter.getDeclaringExecutable();
        String name = executable instanceof Constructor<?>
                ? executable.getName()
                : executable.getDeclaringClass().getName() + "." + executable.getName();
        return name + "()";
    }

    private String advice() {
        return "Annotate %s with @NeuronTest, or register an extension that provides the parameter."
                .formatted(testClass.getName());
    }

    @Override
    public String toString() {
        return "%s takes a parameter of type %s, but its class is not a Neuron test. %s"
                .formatted(subject(), parameter.getType().getSimpleName(), advice());
    }
}
