package dev.neurontest.internal.plan;

import dev.neurontest.ExpectOutput;
import dev.neurontest.internal.output.OutputExpectation;
import dev.neurontest.internal.output.OutputOddity;
import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.Tolerance;
import java.lang.reflect.Method;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reader of annotations with expectations on outputs, from the outermost class to the method. */
final class OutputAnnotations {

    private OutputAnnotations() {}

    /** Returns the plan of a test for its outputs. */
    static OutputPlan plan(List<Class<?>> testClasses, Method testMethod) {
        NearestAnnotations nearest = NearestAnnotations.to(testClasses, testMethod);
        Map<String, ExpectOutput> stated = new HashMap<>();
        return new OutputPlan(nearest.of(ExpectOutput.class, ExpectOutput::value).stream()
                .map(annotation -> {
                    ExpectOutput other = stated.putIfAbsent(annotation.value(), annotation);
                    if (other != null) {
                        throw Misuse.of("%s and %s are for the same output. Join them."
                                .formatted(nearest.withPlace(other), nearest.withPlace(annotation)));
                    }
                    return expectation(annotation);
                })
                .toList());
    }

    private static OutputExpectation expectation(ExpectOutput annotation) {
        String words = AnnotationText.of(annotation);
        try {
            return new OutputExpectation(
                    annotation.value(),
                    golden(annotation),
                    Tolerance.parse(annotation.tolerance()),
                    dtype(annotation.dtype()),
                    Arrays.stream(annotation.allow())
                            .map(allowed -> OutputOddity.valueOf(allowed.name()))
                            .collect(Collectors.toSet()),
                    annotation.same(),
                    words);
        } catch (IllegalArgumentException impossible) {
            throw Misuse.of(words + ": " + impossible.getMessage(), impossible);
        }
    }

    private static Optional<Path> golden(ExpectOutput annotation) {
        if (annotation.golden().isEmpty()) {
            if (!Tolerance.parse(annotation.tolerance()).equals(Tolerance.exact())) {
                throw new IllegalArgumentException("a tolerance needs a golden to compare with");
            }
            return Optional.empty();
        }
        if (annotation.value().isEmpty()) {
            throw new IllegalArgumentException("a golden is for one output: name it, as value = \"y\"");
        }
        try {
            return Optional.of(Path.of(annotation.golden()));
        } catch (InvalidPathException invalid) {
            throw new IllegalArgumentException(
                    "golden \"%s\" is not a path: %s".formatted(annotation.golden(), invalid.getReason()), invalid);
        }
    }

    private static String dtype(String dtype) {
        if (!dtype.isEmpty() && DType.of(dtype).isEmpty()) {
            throw new IllegalArgumentException("\"%s\" is not a dtype. Use a name such as bfloat16.".formatted(dtype));
        }
        return dtype;
    }
}
