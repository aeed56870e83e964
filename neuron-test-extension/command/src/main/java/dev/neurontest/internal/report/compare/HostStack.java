package dev.neurontest.internal.report.compare;

import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.report.ReportedJvm;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The host and the versions of a JVM that may affect values.
 *
 * @param directory name of the working directory, which distinguishes modules
 * @param platform properties of the Neuron host: {@code platform}, {@code instance}, {@code driver}, {@code lnc}; unknown ones are absent
 * @param versions versions on the host, shortened to the parts that may affect values
 * @param variant properties that make a test a different one: the module and the kind of host, but not the driver
 */
record HostStack(
        String directory, Map<String, String> platform, Map<String, String> versions, Map<String, String> variant) {

    /** Kind of platform of a JVM without a Neuron host. */
    private static final String NONE = "none";

    static HostStack of(ReportedJvm jvm) {
        String directory = jvm.start().map(RunEvent.RunStarted::directory).orElse("");
        Map<String, String> platform =
                jvm.platform().map(HostStack::platform).orElseGet(() -> Map.of("platform", NONE));
        Map<String, String> variant = new TreeMap<>(platform);
        variant.remove("driver");
        variant.put("directory", directory);
        return new HostStack(directory, platform, versions(jvm.versions()), variant);
    }

    private static Map<String, String> platform(RunEvent.PlatformChosen host) {
        Map<String, String> platform = new TreeMap<>();
        platform.put("platform", Objects.requireNonNullElse(host.kind(), "unknown"));
        platform.put("lnc", String.valueOf(host.lnc()));
        if (host.instanceType() != null) {
            platform.put("instance", host.instanceType());
        }
        if (host.driverVersion() != null) {
            platform.put("driver", Stack.majorMinor(host.driverVersion()));
        }
        return platform;
    }

    /** Shortens versions to major and minor. The version of a tool follows its name. */
    static Map<String, String> versions(Map<String, String> exact) {
        Map<String, String> versions = new TreeMap<>();
        exact.forEach((name, version) -> versions.put(name, majorMinorOf(version)));
        return versions;
    }

    private static String majorMinorOf(String version) {
        int name = version.lastIndexOf(' ') + 1;
        return version.substring(0, name) + Stack.majorMinor(version.substring(name));
    }

    /** Returns the variant for people, such as {@code trn2.48xlarge (real) in bert-tests}. */
    String place() {
        String host = kind().equals(NONE)
                ? "no Neuron host"
                : platform.getOrDefault("instance", "a host") + " (" + kind()
                        + (platform.getOrDefault("lnc", "1").equals("1") ? "" : ", LNC " + platform.get("lnc")) + ")";
        return directory.isEmpty() ? host : host + " in " + directory;
    }

    /**
     * Returns the reason why values of both hosts are not comparable; empty when they are. A version that only one JVM recorded is no
     * difference, such as that of a profiler that the other one did not use.
     */
    String difference(HostStack now) {
        if (kind().equals(NONE) || now.kind().equals(NONE)) {
            return difference(Map.of("platform", kind()), Map.of("platform", now.kind()));
        }
        Map<String, String> before = new TreeMap<>(versions);
        before.keySet().retainAll(now.versions.keySet());
        Map<String, String> after = new TreeMap<>(now.versions);
        after.keySet().retainAll(versions.keySet());
        before.putAll(platform);
        after.putAll(now.platform);
        return difference(before, after);
    }

    private String kind() {
        return platform.getOrDefault("platform", NONE);
    }

    static String difference(Map<String, String> before, Map<String, String> now) {
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(now.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(before.get(name), now.get(name)))
                .map(name -> "%s %s before and %s now"
                        .formatted(name, before.getOrDefault(name, "unknown"), now.getOrDefault(name, "unknown")))
                .collect(Collectors.joining(", "));
    }
}
