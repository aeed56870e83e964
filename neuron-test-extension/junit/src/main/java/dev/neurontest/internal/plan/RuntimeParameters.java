package dev.neurontest.internal.plan;

import dev.neurontest.Neff;
import dev.neurontest.profile.Profile;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.workload.Workloads;
import java.lang.reflect.Parameter;
import java.util.List;
import org.junit.platform.commons.support.AnnotationSupport;

/** Reader of parameters that use the in-process runtime. */
final class RuntimeParameters {

    private RuntimeParameters() {}

    /** Checks whether a parameter needs the in-process runtime. */
    static boolean isOfRuntime(Parameter parameter) {
        return !HostParameter.isPlain(parameter)
                && (parameter.getType() == NeuronRuntime.class || parameter.getType() == LoadedModel.class);
    }

    /** Checks whether any parameter needs the in-process runtime. */
    static boolean areIn(List<Parameter> parameters) {
        for (Parameter parameter : parameters) {
            if (isOfRuntime(parameter)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Checks whether any of the parameters of a test or class needs the in-process runtime. This JVM then owns the cores, and no child
     * process can use them.
     */
    static boolean use(Object place, List<Parameter> parameters) {
        boolean used = areIn(parameters);
        for (Parameter parameter : parameters) {
            if (!HostParameter.isPlain(parameter)) {
                check(place, parameter, used);
            }
        }
        return used;
    }

    private static void check(Object place, Parameter parameter, boolean used) {
        Class<?> type = parameter.getType();
        boolean named = AnnotationSupport.isAnnotated(parameter, Neff.class);
        if (named != (type == LoadedModel.class)) {
            throw Misuse.of(
                    named
                            ? "Parameter %s of %s: @Neff is for a LoadedModel.".formatted(parameter, place)
                            : "Parameter %s of %s: no annotation selects the model. Annotate it with @Neff(\"model.neff\"), or take a NeuronRuntime and load it."
                                    .formatted(parameter, place));
        }
        if (used && (type == Workloads.class || type == Profile.class)) {
            throw Misuse.of(
                    "%s takes a %s and the runtime in this JVM. The runtime owns the cores, so no other process can use them. Split it into two tests."
                            .formatted(place, type.getSimpleName()));
        }
    }
}
