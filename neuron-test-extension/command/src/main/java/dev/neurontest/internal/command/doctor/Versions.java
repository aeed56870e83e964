package dev.neurontest.internal.command.doctor;

import dev.neurontest.device.DriverVersion;
import dev.neurontest.internal.profile.tool.ProfilerTool;
import dev.neurontest.internal.runtime.InstalledRuntime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A check of the compatibility of driver, runtime and tools. All of them have a version 2.N. The N of tools is that of the SDK, that of a
 * runtime is two higher, and that of a driver is two lower. Source: the release notes of SDK 2.27 to 2.33, and their known issues.
 */
final class Versions {

    private static final int OLDEST_SDK = 27;
    private static final int NEWEST_SDK = 33;
    private static final int RUNTIME_AHEAD = 2;
    private static final int DRIVER_BEHIND = 2;
    private static final Pattern MINOR = Pattern.compile("2\\.(\\d{1,4})(?!\\d).*");

    private final List<Part> parts = new ArrayList<>();
    private Optional<DriverVersion> driver = Optional.empty();
    private String runtime = "";

    /** A component with its version, such as {@code libnrt 2.34.10.0}. */
    private record Part(String name, OptionalInt sdk) {}

    void driver(DriverVersion version) {
        driver = Optional.of(version);
        parts.add(part("driver", version.text(), DRIVER_BEHIND));
    }

    void runtime(InstalledRuntime installed) {
        runtime = installed.version().toString();
        parts.add(part("libnrt", runtime, -RUNTIME_AHEAD));
    }

    void tool(ProfilerTool tool) {
        parts.add(part(tool.generation().program(), tool.version(), 0));
    }

    private static Part part(String name, String version, int behind) {
        OptionalInt minor = minor(version);
        return new Part(
                name + " " + version,
                minor.isPresent() ? OptionalInt.of(minor.getAsInt() + behind) : OptionalInt.empty());
    }

    private static OptionalInt minor(String version) {
        Matcher number = MINOR.matcher(version);
        return number.matches() ? OptionalInt.of(Integer.parseInt(number.group(1))) : OptionalInt.empty();
    }

    List<DoctorFinding> findings() {
        if (parts.isEmpty()) {
            return List.of();
        }
        Optional<DoctorFinding> odd = pair();
        String together = odd.isPresent() || sdks().size() == 1 ? "" : "; no pair of them is known to fail";
        List<DoctorFinding> findings = new ArrayList<>(List.of(DoctorFinding.ok("versions", belong() + together)));
        odd.ifPresent(findings::add);
        return findings;
    }

    private Map<String, List<Part>> sdks() {
        return parts.stream()
                .collect(Collectors.groupingBy(part -> sdk(part.sdk()), LinkedHashMap::new, Collectors.toList()));
    }

    private String belong() {
        Function<List<Part>, String> names =
                some -> some.stream().map(Part::name).collect(Collectors.joining(", "));
        return sdks().entrySet().stream()
                .map(each -> each.getKey() + ": " + names.apply(each.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static String sdk(OptionalInt minor) {
        if (minor.isEmpty()) {
            return "of an unknown SDK";
        }
        if (minor.getAsInt() < OLDEST_SDK) {
            return "older than SDK 2." + OLDEST_SDK;
        }
        return minor.getAsInt() > NEWEST_SDK ? "newer than SDK 2." + NEWEST_SDK : "SDK 2." + minor.getAsInt();
    }

    /** Returns the finding for driver and runtime. No other pairs are known to fail. */
    private Optional<DoctorFinding> pair() {
        int library = minor(runtime).orElse(-1);
        if (library < 0 || driver.isEmpty() || !driver.get().known()) {
            return Optional.empty();
        }
        boolean before27 = !driver.get().atLeast(2, 27);
        boolean before31 = !driver.get().atLeast(2, 31);
        boolean is29 = driver.get().atLeast(2, 29) && !driver.get().atLeast(2, 30);
        if (is29 && library < 33) {
            return Optional.of(odd(
                    Code.DRIVER_RUNTIME_MISMATCH,
                    "nrt_init fails: a driver 2.29 needs a runtime from 2.33 on",
                    "Update aws-neuronx-runtime-lib to 2.33 or later (SDK 2.31), or use another driver."));
        }
        if (before27 && library == 32) {
            return Optional.of(odd(
                    Code.DRIVER_RUNTIME_MISMATCH,
                    "nrt_init fails: a runtime 2.32 needs a driver from 2.27 on",
                    "Update aws-neuronx-dkms to 2.27 or later (SDK 2.29); in a container the driver is the host's."));
        }
        if (before27 && library > 32) {
            return Optional.of(
                    odd(
                            Code.DRIVER_RUNTIME_UNVERIFIED,
                            "a runtime 2.32 fails with a driver before 2.27; AWS announced that later runtimes do not, but this is not verified",
                            "If nrt_init fails with status 2, update aws-neuronx-dkms; in a container the driver is the host's."));
        }
        if (before31 && library >= 35) {
            return Optional.of(odd(
                    Code.DRIVER_RUNTIME_UNVERIFIED,
                    "a runtime from 2.35 on is not verified with a driver before 2.31; casts and arithmetic of tensors on the"
                            + " device, and profiles of DMA between host and device, need driver 2.31",
                    "If nrt_init fails with status 2, update aws-neuronx-dkms to 2.31 (SDK 2.33)."));
        }
        return Optional.empty();
    }

    private DoctorFinding odd(Code code, String why, String advice) {
        return DoctorFinding.of(
                code,
                "driver %s with libnrt %s: %s".formatted(driver.orElseThrow().text(), runtime, why),
                advice);
    }
}
