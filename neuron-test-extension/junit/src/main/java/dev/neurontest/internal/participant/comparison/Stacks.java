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

/**
 * What numbers depend on beside the test: only those of the same stack are compared.
 *
 * @param platform the host
 * @param runtime the version of the runtime in this JVM, where the test has anything to do with it
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Stacks(RunEvent.PlatformChosen platform, Supplier<Optional<String>> runtime) {

    /** Of what was measured in some way. */
    Stack of(String capture) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("platform", platform.kind());
        parts.put("instance", String.valueOf(platform.instanceType()));
        parts.put("lnc", String.valueOf(platform.lnc()));
        if (platform.driverVersion() != null) {
            parts.put("driver", Stack.majorMinor(platform.driverVersion()));
        }
        runtime.get().ifPresent(version -> parts.put("runtime", Stack.majorMinor(version)));
        parts.put("capture", capture);
        return Stack.of(parts);
    }

    /** Of what a profile has of a metric. */
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
