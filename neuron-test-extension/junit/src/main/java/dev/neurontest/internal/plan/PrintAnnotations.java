package dev.neurontest.internal.plan;

import dev.neurontest.ExpectPrint;
import dev.neurontest.cluster.NeuronCluster;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintExpectation;
import dev.neurontest.print.PrintExpectations;
import dev.neurontest.workload.Workloads;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reader of annotations with print expectations, from the outermost class to the method. The annotation nearest to the test wins. An
 * invalid annotation is an error in the test before anything runs.
 */
final class PrintAnnotations {

    private PrintAnnotations() {}

    /**
     * Returns the plan of a test for device prints.
     *
     * @param ofRuntime true if the test or an enclosing class uses the runtime in this JVM
     */
    static PrintPlan plan(
            List<Class<?>> testClasses, Method testMethod, List<Parameter> parameters, boolean ofRuntime) {
        PrintExpectations rules = ofTest(testClasses, testMethod);
        boolean required = !rules.expectations().isEmpty() || takes(parameters, DevicePrints.class);
        if (required && !ofRuntime && !takes(parameters, Workloads.class) && !takes(parameters, NeuronCluster.class)) {
            throw Misuse.of(
                    testMethod + " expects device prints, but none of its parameters can print. Take a LoadedModel with"
                            + " @Neff(\"model.neff\") or a NeuronRuntime, or start the program with Workloads.");
        }
        return new PrintPlan(required, rules);
    }

    private static boolean takes(List<Parameter> parameters, Class<?> type) {
        return parameters.stream().anyMatch(parameter -> parameter.getType() == type);
    }

    private static PrintExpectations ofTest(List<Class<?>> testClasses, Method testMethod) {
        NearestAnnotations nearest = NearestAnnotations.to(testClasses, testMethod);
        Map<PrintExpectation, ExpectPrint> stated = new LinkedHashMap<>();
        nearest.of(ExpectPrint.class, ExpectPrint::prefix)
                .forEach(annotation -> stated.put(expectation(annotation), annotation));
        nearest.requireCompatible(
                stated,
                (some, other) ->
                        some.prefix().equals(other.prefix()) && (some.max() < other.min() || other.max() < some.min()));
        PrintExpectations.Builder rules = PrintExpectations.builder();
        stated.keySet().forEach(rules::expect);
        return rules.build();
    }

    private static PrintExpectation expectation(ExpectPrint annotation) {
        try {
            PrintExpectation expectation = number(annotation).inWords(AnnotationText.of(annotation));
            return annotation.noNaN() ? expectation.withoutNaN() : expectation;
        } catch (IllegalArgumentException impossible) {
            throw Misuse.of(AnnotationText.of(annotation) + ": " + impossible.getMessage(), impossible);
        }
    }

    private static PrintExpectation number(ExpectPrint annotation) {
        PrintExpectation expectation = PrintExpectation.of(annotation.prefix());
        boolean bounded = annotation.min() != ExpectPrint.NOT_SET || annotation.max() != ExpectPrint.NOT_SET;
        if (annotation.count() != ExpectPrint.NOT_SET) {
            if (bounded) {
                throw new IllegalArgumentException(
                        "sets count together with min or max: set either count, or min and max");
            }
            return expectation.exactly(annotation.count());
        }
        return bounded
                ? expectation.between(
                        annotation.min() == ExpectPrint.NOT_SET ? 0 : annotation.min(),
                        annotation.max() == ExpectPrint.NOT_SET ? PrintExpectation.NO_LIMIT : annotation.max())
                : expectation;
    }
}
