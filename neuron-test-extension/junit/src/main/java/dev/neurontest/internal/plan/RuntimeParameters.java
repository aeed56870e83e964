package dev.neurontest.internal.plan;

import dev.neurontest.Neff;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.commons.support.AnnotationSupport;

/** What a test, or a class for all its tests, wants of the runtime in this JVM. */
final class RuntimeParameters {

    private RuntimeParameters() {}

    /** Whether parameters want it at all. A process owns its cores: what this JVM has, nothing that it starts can have. */
    static boolean use(Object place, List<Parameter> parameters) {
        boolean used = parameters.stream().anyMatch(ParameterKind::isOfRuntime);
        parameters.forEach(parameter -> check(place, parameter, used));
        return used;
    }

    private static void check(Object place, Parameter parameter, boolean used) {
        ParameterKind injected = ParameterKind.of(parameter).orElse(ParameterKind.HOST);
        boolean named = AnnotationSupport.isAnnotated(parameter, Neff.class);
        if (named != (injected == ParameterKind.MODEL)) {
            throw Misuse.of(
                    named
                            ? "Parameter %s of %s: @Neff is for a LoadedModel.".formatted(parameter, place)
                            : "Parameter %s of %s: nothing says which model. Annotate it with @Neff(\"model.neff\"), or take a NeuronRuntime and load it."
                                    .formatted(parameter, place));
        }
        if (used && Stream.of(ParameterKind.WORKLOADS, ParameterKind.PROFILE).anyMatch(injected::equals)) {
            throw Misuse.of(
                    "%s takes a %s beside the runtime in this JVM, which owns the cores, so that no other process could use them. Make two tests of it."
                            .formatted(place, parameter.getType().getSimpleName()));
        }
    }
}
