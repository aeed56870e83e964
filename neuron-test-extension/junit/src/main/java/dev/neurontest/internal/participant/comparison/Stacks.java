package dev.neurontest.internal.participant.comparison;

import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.profile.Profile;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The stack of a measurement: everything apart from the test that affects its numbers. Only numbers of the same stack are compared.
 *
 * @param runtime returns the version of the runtime in this JVM; null if the test does not use it
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Stacks(
        RunEvent.PlatformChosen platform, @Nullable Supplier<Optional<String>> runtime) {

    /** Returns the stack of a measurement of the given kind. */
    Stack of(String capture) {
        return of(Map.of("capture", capture));
    }

    /** Returns the stack of a measurement with the given parts, such as the kind of capture. */
    Stack of(Map<String, String> measurement) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("platform", platform.kind());
        parts.put("instance", String.valueOf(platform.instanceType()));
        parts.put("lnc", String.valueOf(platform.lnc()));
        if (platform.driverVersion() != null) {
            parts.put("driver", Stack.majorMinor(platform.driverVersion()));
        }
        if (runtime != null) {
            runtime.get().ifPresent(version -> parts.put("runtime", Stack.majorMinor(version)));
        }
        parts.putAll(measurement);
        return Stack.of(parts);
    }

    /** Returns the stack of a profile metric. */
    Stack of(Profile profile, Metric metric) {
        Map<String, String> parts = new LinkedHashMap<>(of("profile").parts());
        profile.text("runtime_version").ifPresent(version -> parts.put("runtime", Stack.majorMinor(version)));
        profile.text("compiler_version").ifPresent(version -> parts.put("compiler", Stack.majorMinor(version)));
        int space = profile.tool().indexOf(' ');
        parts.put(
                "profiler",
                space < 0
                        ? profile.tool()
                        : profile.tool().substring(0, space) + " "
                                + Stack.majorMinor(profile.tool().substring(space + 1)));
        parts.put("capture", profile.capture().toString().toLowerCase(Locale.ROOT));
        if (metric.noise() == Noise.NOISY && !profile.throttleClass().isEmpty()) {
            parts.put("throttle", profile.throttleClass());
        }
        return Stack.of(parts);
    }
}
