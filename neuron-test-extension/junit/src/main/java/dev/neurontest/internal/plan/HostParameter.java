package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import dev.neurontest.Count;
import dev.neurontest.LeasedPer;
import dev.neurontest.NeuronIndex;
import dev.neurontest.Placement;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.platform.Platform;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.AnnotationSupport;

/** Kind of a parameter that the host provides: leased cores and devices, the host itself, and the fake host. */
@API(status = API.Status.INTERNAL)
public enum HostParameter {
    /** One logical core. */
    CORE,
    /** Several logical cores. */
    CORES,
    /** A device with all its cores. */
    DEVICE,
    /** The host, without a lease. */
    HOST,
    /** The fake host, on a fake platform. */
    FAKE,
    /** The fake host, or empty on another platform. */
    FAKE_IF_ANY,
    /** The fake hosts of a cluster, in the order of its hosts. */
    FAKES;

    private static final Map<Class<?>, HostParameter> BY_TYPE =
            Map.of(NeuronCore.class, CORE, NeuronDevice.class, DEVICE, NeuronHost.class, HOST);

    /** Returns the kind of a parameter; empty if the host does not provide it. */
    public static Optional<HostParameter> of(Parameter parameter) {
        Class<?> type = parameter.getType();
        if (type == List.class) {
            Type element = argument(parameter);
            return element == NeuronCore.class
                    ? Optional.of(CORES)
                    : element instanceof Class<?> value && Platform.isFakeHost(value)
                            ? Optional.of(FAKES)
                            : Optional.empty();
        }
        if (type == Optional.class) {
            return argument(parameter) instanceof Class<?> value && Platform.isFakeHost(value)
                    ? Optional.of(FAKE_IF_ANY)
                    : Optional.empty();
        }
        return Platform.isFakeHost(type) ? Optional.of(FAKE) : Optional.ofNullable(BY_TYPE.get(type));
    }

    /** Returns whether the host provides a parameter that has no annotations. Other readers of parameters can skip it. */
    static boolean isPlain(Parameter parameter) {
        return !isAnnotated(parameter) && of(parameter).isPresent();
    }

    /** Returns whether a parameter has any annotation. Without one, no type of annotation needs to be loaded. */
    static boolean isAnnotated(Parameter parameter) {
        return parameter.getAnnotations().length > 0;
    }

    /** Returns the lease request of a parameter; empty if nothing is leased for it. */
    static Optional<CoreRequest> request(Parameter parameter) {
        @Nullable HostParameter kind = of(parameter).orElse(null);
        if (isAnnotated(parameter)) {
            refuseMisplaced(kind, parameter);
        }
        if (kind == null) {
            return Optional.empty();
        }
        try {
            return request(kind, parameter);
        } catch (IllegalArgumentException impossible) {
            throw wrong(parameter, impossible.getMessage());
        }
    }

    private static void refuseMisplaced(@Nullable HostParameter kind, Parameter parameter) {
        boolean isLeased = kind == CORE || kind == CORES || kind == DEVICE;
        if (kind != CORES && AnnotationSupport.isAnnotated(parameter, Count.class)) {
            throw wrong(parameter, "@Count is for List<NeuronCore>; take a list, or remove the annotation");
        }
        if (!isLeased && AnnotationSupport.isAnnotated(parameter, LeasedPer.class)) {
            throw wrong(parameter, "@LeasedPer is for cores and devices");
        }
        if (!isLeased && AnnotationSupport.isAnnotated(parameter, NeuronIndex.class)) {
            throw wrong(parameter, "@NeuronIndex is for cores and devices");
        }
    }

    private static Optional<CoreRequest> request(HostParameter kind, Parameter parameter) {
        if (kind == CORE) {
            return Optional.of(core(parameter));
        }
        if (kind == CORES) {
            return Optional.of(cores(parameter));
        }
        return kind == DEVICE ? Optional.of(device(parameter)) : Optional.empty();
    }

    private static CoreRequest core(Parameter parameter) {
        @Nullable NeuronIndex index = index(parameter);
        return index == null ? CoreRequest.any() : CoreRequest.exactly(index.value());
    }

    private static CoreRequest cores(Parameter parameter) {
        Optional<Count> count = findAnnotation(parameter, Count.class);
        Optional<int[]> index = findAnnotation(parameter, NeuronIndex.class).map(NeuronIndex::value);
        if (count.isPresent() == index.isPresent()) {
            throw wrong(parameter, "a List<NeuronCore> needs one of @Count(4) and @NeuronIndex({0, 1, 2, 3})");
        }
        if (index.isPresent()) {
            if (index.get().length == 0) {
                throw wrong(parameter, "@NeuronIndex names no core");
            }
            return CoreRequest.exactly(index.get());
        }
        int number = count.orElseThrow().value();
        if (number < 1) {
            throw wrong(parameter, "@Count must be at least 1, not " + number);
        }
        boolean collectives = count.orElseThrow().collectives();
        Placement placement = count.orElseThrow().placement();
        if (collectives && placement == Placement.SCATTERED) {
            throw wrong(parameter, "@Count(collectives = true) requires consecutive cores; remove SCATTERED");
        }
        CoreRequest request = switch (placement) {
            case IN_A_ROW -> CoreRequest.inARow(number);
            case ONE_DEVICE -> CoreRequest.onOneDevice(number);
            case CONNECTED_DEVICES -> CoreRequest.onConnectedDevices(number);
            case SCATTERED -> CoreRequest.scattered(number);
        };
        return collectives ? CoreRequest.forCollectives(request) : request;
    }

    private static CoreRequest device(Parameter parameter) {
        @Nullable NeuronIndex index = index(parameter);
        return index == null ? CoreRequest.anyDevice() : CoreRequest.devices(index.value());
    }

    /** Returns the annotation with one index; null without it. */
    private static @Nullable NeuronIndex index(Parameter parameter) {
        @Nullable
        NeuronIndex index = isAnnotated(parameter)
                ? findAnnotation(parameter, NeuronIndex.class).orElse(null)
                : null;
        if (index != null && index.value().length != 1) {
            throw wrong(parameter, "@NeuronIndex must have one index, not " + index.value().length);
        }
        return index;
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
