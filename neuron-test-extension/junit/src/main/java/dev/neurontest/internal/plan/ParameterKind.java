package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import dev.neurontest.Count;
import dev.neurontest.Index;
import dev.neurontest.LeasedPer;
import dev.neurontest.Placement;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Profiler;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.workload.Workloads;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** What a parameter is given. */
@API(status = API.Status.INTERNAL)
public enum ParameterKind {
    /** One logical core. */
    CORE,
    /** Several logical cores. */
    CORES,
    /** A device with all its cores. */
    DEVICE,
    /** The host; nothing is leased. */
    HOST,
    /** The counters of what was leased. */
    COUNTERS,
    /** Starts child processes on what was leased. */
    WORKLOADS,
    /** Makes profiles of what runs on what was leased. */
    PROFILER,
    /** The profile of the NEFF that the test names. */
    PROFILE,
    /** The runtime in this JVM, on what was leased. */
    RUNTIME,
    /** A model that it has loaded. */
    MODEL,
    /** What kernels printed from the device. */
    PRINTS,
    /** Compares what the test measures with its baseline. */
    COMPARISONS,
    /** The fake host, on a fake platform. */
    FAKE,
    /** The fake host, or empty on another platform. */
    FAKE_IF_ANY;

    /** What a parameter is given; empty when it is none of ours. */
    public static Optional<ParameterKind> of(Parameter parameter) {
        Class<?> type = parameter.getType();
        if (type == NeuronCore.class) {
            return Optional.of(CORE);
        }
        if (type == List.class) {
            return argument(parameter) == NeuronCore.class ? Optional.of(CORES) : Optional.empty();
        }
        if (type == NeuronDevice.class) {
            return Optional.of(DEVICE);
        }
        if (type == NeuronHost.class) {
            return Optional.of(HOST);
        }
        if (type == Counters.class) {
            return Optional.of(COUNTERS);
        }
        if (type == Workloads.class) {
            return Optional.of(WORKLOADS);
        }
        if (type == Profiler.class) {
            return Optional.of(PROFILER);
        }
        if (type == Profile.class) {
            return Optional.of(PROFILE);
        }
        if (type == NeuronRuntime.class) {
            return Optional.of(RUNTIME);
        }
        if (type == LoadedModel.class) {
            return Optional.of(MODEL);
        }
        if (type == DevicePrints.class) {
            return Optional.of(PRINTS);
        }
        if (type == Comparisons.class) {
            return Optional.of(COMPARISONS);
        }
        if (Platform.isFakeHost(type)) {
            return Optional.of(FAKE);
        }
        return type == Optional.class && argument(parameter) instanceof Class<?> value && Platform.isFakeHost(value)
                ? Optional.of(FAKE_IF_ANY)
                : Optional.empty();
    }

    /** What has to be leased for a parameter; empty when nothing is. */
    static Optional<CoreRequest> request(Parameter parameter) {
        try {
            return of(parameter).flatMap(injected -> request(injected, parameter));
        } catch (IllegalArgumentException impossible) {
            throw wrong(parameter, impossible.getMessage());
        }
    }

    private static Optional<CoreRequest> request(ParameterKind injected, Parameter parameter) {
        if (injected != CORES && findAnnotation(parameter, Count.class).isPresent()) {
            throw wrong(parameter, "@Count is for List<NeuronCore>; take a list, or leave the annotation away");
        }
        if (!injected.isLeased() && findAnnotation(parameter, LeasedPer.class).isPresent()) {
            throw wrong(parameter, "@LeasedPer is for cores and devices");
        }
        return switch (injected) {
            case CORE -> Optional.of(core(parameter));
            case CORES -> Optional.of(cores(parameter));
            case DEVICE -> Optional.of(device(parameter));
            case HOST, COUNTERS, WORKLOADS, PROFILER, PROFILE, RUNTIME, MODEL, PRINTS, COMPARISONS, FAKE, FAKE_IF_ANY ->
                Optional.empty();
        };
    }

    /** Whether it needs the runtime in this JVM. */
    static boolean isOfRuntime(Parameter parameter) {
        return of(parameter)
                .filter(injected -> injected == RUNTIME || injected == MODEL)
                .isPresent();
    }

    private boolean isLeased() {
        return this == CORE || this == CORES || this == DEVICE;
    }

    private static CoreRequest core(Parameter parameter) {
        return index(parameter).map(CoreRequest::exactly).orElseGet(CoreRequest::any);
    }

    private static CoreRequest cores(Parameter parameter) {
        Optional<Count> count = findAnnotation(parameter, Count.class);
        Optional<int[]> index = findAnnotation(parameter, Index.class).map(Index::value);
        if (count.isPresent() == index.isPresent()) {
            throw wrong(parameter, "a List<NeuronCore> needs one of @Count(4) and @Index({0, 1, 2, 3})");
        }
        if (index.isPresent()) {
            if (index.get().length == 0) {
                throw wrong(parameter, "@Index names no core");
            }
            return CoreRequest.exactly(index.get());
        }
        int wanted = count.orElseThrow().value();
        if (wanted < 1) {
            throw wrong(parameter, "@Count must be at least 1, not " + wanted);
        }
        boolean collectives = count.orElseThrow().collectives();
        Placement placement = count.orElseThrow().placement();
        if (collectives && placement == Placement.SCATTERED) {
            throw wrong(parameter, "@Count(collectives = true) is for cores in a row; leave SCATTERED away");
        }
        CoreRequest request = switch (placement) {
            case IN_A_ROW -> CoreRequest.inARow(wanted);
            case ONE_DEVICE -> CoreRequest.onOneDevice(wanted);
            case CONNECTED_DEVICES -> CoreRequest.onConnectedDevices(wanted);
            case SCATTERED -> CoreRequest.scattered(wanted);
        };
        return collectives ? CoreRequest.forCollectives(request) : request;
    }

    private static CoreRequest device(Parameter parameter) {
        return index(parameter).map(CoreRequest::devices).orElseGet(CoreRequest::anyDevice);
    }

    private static Optional<Integer> index(Parameter parameter) {
        return findAnnotation(parameter, Index.class).map(Index::value).map(indices -> {
            if (indices.length != 1) {
                throw wrong(parameter, "@Index must name one, not " + indices.length);
            }
            return indices[0];
        });
    }

    private static Type argument(Parameter parameter) {
        if (!(parameter.getParameterizedType() instanceof ParameterizedType type)) {
            return Object.class;
        }
        Type argument = type.getActualTypeArguments()[0];
        return argument instanceof WildcardType wildcard ? wildcard.getUpperBounds()[0] : argument;
    }

    private static ExtensionConfigurationException wrong(Parameter parameter, String reason) {
        return Misuse.of("Parameter %s of %s: %s.".formatted(parameter, parameter.getDeclaringExecutable(), reason));
    }
}
