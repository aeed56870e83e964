package dev.neurontest.command.doctor;

import dev.neurontest.configuration.BadSettingException;
import dev.neurontest.configuration.PlatformChoice;
import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.Settings;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.counter.tree.CounterScope;
import dev.neurontest.counter.tree.CounterScopes;
import dev.neurontest.device.DatastoreCounters;
import dev.neurontest.device.DeviceHealth;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.device.driver.NearestDriver;
import dev.neurontest.host.NeuronSysfsException;
import dev.neurontest.lease.LeaseException;
import dev.neurontest.lease.Quarantine;
import dev.neurontest.lease.store.LeaseOverview;
import dev.neurontest.lease.table.LeaseTable;
import dev.neurontest.platform.Platform;
import dev.neurontest.platform.PlatformUnavailableException;
import dev.neurontest.profile.tool.ProfilerTool;
import dev.neurontest.profile.tool.ToolNotFoundException;
import dev.neurontest.runtime.InstalledRuntime;
import dev.neurontest.runtime.RuntimeUnavailableException;
import dev.neurontest.text.CountText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Looks at everything that a test needs, in the order in which it needs it. It changes nothing, unless it is told to reap what killed
 * JVMs have left.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Doctor {

    private static final Duration TOOL_ANSWERS_WITHIN = Duration.ofSeconds(30);

    /** What CI servers set. */
    private static final List<String> CI =
            List.of("CI", "GITHUB_ACTIONS", "GITLAB_CI", "JENKINS_URL", "BUILDKITE", "CODEBUILD_BUILD_ID");

    /** What the runtime reads, and the extension sets for its own cores. */
    private static final List<String> RUNTIME_VARIABLES =
            List.of("NEURON_RT_VISIBLE_CORES", "NEURON_RT_NUM_CORES", "NEURON_LOGICAL_NC_CONFIG");

    private static final int NATIVE_ACCESS_WARNS = 24;
    private static final int SHOWN = 5;

    private final Settings settings;
    private final Map<String, String> environment;
    private final int java;
    private final boolean reaps;
    private final List<Finding> findings = new ArrayList<>();

    private Doctor(Settings settings, Map<String, String> environment, int java, boolean reaps) {
        this.settings = settings;
        this.environment = environment;
        this.java = java;
        this.reaps = reaps;
    }

    /**
     * Looks.
     *
     * @param settings which host, and how
     * @param environment variables of this process
     * @param java the feature version of the JVM
     * @return what was found
     */
    public static Diagnosis examine(Settings settings, Map<String, String> environment, int java) {
        return examine(new Doctor(settings, environment, java, false));
    }

    /**
     * Ends and removes what killed JVMs of this user have left, then looks.
     *
     * @param settings which host, and how
     * @param environment variables of this process
     * @param java the feature version of the JVM
     * @return what was done and found
     */
    public static Diagnosis reap(Settings settings, Map<String, String> environment, int java) {
        return examine(new Doctor(settings, environment, java, true));
    }

    private static Diagnosis examine(Doctor doctor) {
        String host = "this machine";
        if (doctor.settings()) {
            // What is reaped is no more among what is found, and told last.
            List<Finding> left = doctor.left();
            host = doctor.host();
            left.forEach(doctor::add);
        }
        doctor.java();
        doctor.ci();
        return new Diagnosis(host, doctor.findings);
    }

    /** Whether all of them can be understood. */
    private boolean settings() {
        // Settings whose default follows from another one repeat its mistake.
        Set<String> mistakes = new LinkedHashSet<>();
        for (Setting<?> setting : Setting.all()) {
            try {
                settings.get(setting);
            } catch (BadSettingException bad) {
                mistakes.add(String.valueOf(bad.getMessage()));
            }
        }
        mistakes.forEach(mistake -> add(Finding.fail("settings", mistake, "")));
        settings.warnings().forEach(warning -> add(Finding.warn("settings", warning, "")));
        if (mistakes.isEmpty()) {
            add(Finding.ok("settings", "platform " + settings.get(Setting.PLATFORM)));
        }
        return mistakes.isEmpty();
    }

    private List<Finding> left() {
        return reaps ? Leftovers.reap(settings) : Leftovers.look(settings);
    }

    private String host() {
        try (Platform platform = Platform.open(settings)) {
            NeuronHost host = platform.host();
            platform.recordedAt().ifPresent(when -> add(Finding.ok("host", "recorded " + when)));
            platform.notices().forEach(notice -> add(Finding.warn("host", notice, "")));
            driver(host);
            devices(host);
            permissions(platform);
            owners(host);
            leases(platform);
            tool(platform);
            runtime(platform);
            return host.tree().name();
        } catch (PlatformUnavailableException none) {
            add(Finding.fail("host", String.valueOf(none.getMessage()), withoutHost(settings.value(Setting.PLATFORM))));
            return settings.get(Setting.PLATFORM).text();
        }
    }

    private static String withoutHost(PlatformChoice choice) {
        String fake = "Tests run without it on a fake: --platform fake:trn1.2xlarge (neuron.test.platform).";
        String instance = "On an instance: lsmod | grep neuron, and sudo dmesg.";
        if (choice instanceof PlatformChoice.Hardware) {
            return instance;
        }
        if (choice instanceof PlatformChoice.Fake) {
            // The message says what is wrong with its name, or what its class path lacks.
            return "";
        }
        return choice instanceof PlatformChoice.Replay ? fake : fake + " " + instance;
    }

    private void driver(NeuronHost host) {
        if (host.driverVersion().isEmpty()) {
            add(Finding.warn(
                    "driver",
                    "the host shows no version of the kernel module (sys/module/neuron/version)",
                    "Counters are read by what is there; look with modinfo neuron."));
        } else {
            add(Finding.ok("driver", "version " + host.driverVersion().get()));
        }
        if (host.datastoreCounters() == DatastoreCounters.DEFERRED) {
            add(Finding.warn(
                    "driver",
                    "execution and status counters move only when the process that used a core lets go of it (%s)"
                            .formatted(host.datastoreCountersReason()),
                    "End what is under test before its test is over, or use a driver from 2.30 on."));
        }
    }

    private void devices(NeuronHost host) {
        add(Finding.ok(
                "devices",
                "%s: %s with %s, logical cores of %d physical"
                        .formatted(
                                host.instanceType().orElse("unknown instance type"),
                                CountText.of(host.devices().size(), "device"),
                                CountText.of(host.cores().size(), "core"),
                                host.logicalCoreSize())));
        host.notices().forEach(notice -> add(Finding.warn("devices", notice, "")));
        for (NeuronDevice device : host.devices()) {
            try {
                health(device);
            } catch (NeuronSysfsException unreadable) {
                add(Finding.fail("devices", String.valueOf(unreadable.getMessage()), ""));
            }
        }
    }

    private void health(NeuronDevice device) {
        DeviceHealth health = device.health();
        if (health.state() == DeviceHealth.State.UNHEALTHY) {
            add(Finding.fail(
                    "devices",
                    device.name() + " reports as broken: " + String.join(", ", health.unhealthyComponents()),
                    "Stop and start the instance to get another machine; sudo dmesg tells more."));
        } else if (health.state() == DeviceHealth.State.UNREACHABLE) {
            add(Finding.fail(
                    "devices", "the driver cannot talk to " + device.name(), "Reset it (neuron-reset), or reboot."));
        }
    }

    private void permissions(Platform platform) {
        try {
            CounterScope whole = new CounterScopes(platform.host()).wholeHost();
            counters(platform.host(), whole);
            CounterSnapshot all = CounterSnapshot.of(whole);
            List<NeuronSysfsException> unreadable = all.unreadable();
            if (unreadable.isEmpty()) {
                add(Finding.ok("counters", CountText.of(all.size(), "file") + " can be read"));
            } else {
                add(Finding.fail(
                        "counters",
                        "%d of %s cannot be read, the first: %s"
                                .formatted(
                                        unreadable.size(),
                                        CountText.of(all.size(), "file"),
                                        unreadable.get(0).getMessage()),
                        ""));
            }
        } catch (NeuronSysfsException unreadable) {
            add(Finding.fail("counters", String.valueOf(unreadable.getMessage()), ""));
        }
        nodes(platform);
    }

    private void counters(NeuronHost host, CounterScope whole) {
        whole.census().forEach(counters -> add(Finding.ok("counters", counters)));
        whole.doubts()
                .forEach(doubt -> add(Finding.warn(
                        "counters",
                        doubt,
                        "While that is so, the rule that no error counter may move is undecided here.")));
        NearestDriver nearest = NearestDriver.of(host);
        if (nearest.differences().isEmpty()) {
            add(Finding.ok("counters", "names and places are those of driver " + nearest.driver()));
        }
        nearest.differences()
                .forEach(difference -> add(Finding.warn(
                        "counters",
                        "unlike driver %s, the nearest known one: %s".formatted(nearest.driver(), difference),
                        "Counters are found by their names. neuron-test record writes down what this host has.")));
    }

    private void nodes(Platform platform) {
        if (platform.kind() != Platform.Kind.REAL) {
            return;
        }
        List<String> closed = platform.host().devices().stream()
                .map(device -> Path.of("/", device.node()))
                .filter(node -> !Files.isReadable(node) || !Files.isWritable(node))
                .map(Path::toString)
                .toList();
        if (closed.isEmpty()) {
            add(Finding.ok("access", "the devices can be opened by " + System.getProperty("user.name")));
        } else {
            add(
                    Finding.fail(
                            "access",
                            "%s cannot be opened by %s".formatted(some(closed), System.getProperty("user.name")),
                            "See ls -l /dev/neuron*; the rules of aws-neuronx-dkms for udev open them to all. In a container: --device."));
        }
    }

    private void owners(NeuronHost host) {
        Map<NeuronDevice, List<ProcessOwner>> owners = host.owners();
        if (owners.isEmpty()) {
            add(Finding.ok("owners", "no device is open in a process that can be seen from here"));
        }
        owners.forEach((device, processes) -> add(Finding.warn(
                "owners",
                "%s is open in %s".formatted(device.name(), some(processes)),
                "Its cores are not given to tests while it is (neuron.test.lease.owners).")));
    }

    private void leases(Platform platform) {
        if (platform.isOfThisJvm()) {
            return;
        }
        Path directory = settings.value(Setting.LEASE_DIRECTORY).orElseGet(platform::leaseDirectory);
        try {
            if (reaps && LeaseOverview.of(directory).isPresent()) {
                // A JVM that joins takes back what dead ones held.
                LeaseTable.builder(platform.host()).directory(directory).open().close();
            }
            LeaseOverview.of(directory)
                    .ifPresentOrElse(
                            table -> leases(directory, table),
                            () -> add(Finding.ok("leases", "nothing has been leased yet in " + directory)));
        } catch (LeaseException unusable) {
            add(Finding.fail("leases", String.valueOf(unusable.getMessage()), ""));
        }
    }

    private void leases(Path directory, LeaseOverview table) {
        add(Finding.ok(
                "leases",
                "%s: %s, %s, %d waiting, by %s"
                        .formatted(
                                directory,
                                CountText.of(table.held().size(), "lease"),
                                CountText.of(table.quarantines().size(), "core") + " in quarantine",
                                table.waiting().size(),
                                CountText.of(table.jvms(), "living JVM"))));
        table.held().forEach(held -> add(held(held)));
        table.waiting().forEach(waiting -> add(waiting(waiting)));
        table.quarantines().forEach(quarantine -> add(quarantine(quarantine)));
    }

    private static Finding held(LeaseOverview.Held held) {
        String what = "%s: leased by %s (pid %d) since %s"
                .formatted(String.join(", ", held.cores()), held.holder(), held.pid(), held.since());
        return held.alive()
                ? Finding.ok("leases", what)
                : Finding.warn("leases", what + ", whose JVM has ended", "The next JVM that leases takes them back.");
    }

    private static Finding waiting(LeaseOverview.Waiting waiting) {
        String what = "%s (pid %d) waits for %s".formatted(waiting.holder(), waiting.pid(), waiting.wants());
        return waiting.passedOver()
                ? Finding.warn(
                        "leases",
                        what + "; its JVM does not answer and is passed over",
                        "Let it go on where a debugger, a paused container or a signal stops it, or end it.")
                : Finding.ok("leases", what);
    }

    private static Finding quarantine(Quarantine quarantine) {
        String age = quarantine.since().isAfter(Instant.now()) ? "" : ", since " + quarantine.since();
        return Finding.warn(
                "quarantine",
                "%s: %s (%s, pid %d%s)"
                        .formatted(quarantine.core(), quarantine.reason(), quarantine.holder(), quarantine.pid(), age),
                quarantine.untilProcessesEnd()
                        ? "It ends by itself when the processes that use the core have ended: neuron-test doctor --reap ends those of dead JVMs."
                        : "Tests are given other cores until a check finds it well; neuron.test.quarantine.reset lets them reset the device.");
    }

    private void tool(Platform platform) {
        try {
            ProfilerTool tool = ProfilerTool.find(new ProfilerTool.Search(
                    platform.root(),
                    settings.value(Setting.PROFILER),
                    environment.getOrDefault("PATH", ""),
                    platform.environment(),
                    TOOL_ANSWERS_WITHIN));
            add(Finding.ok("profiler", "%s (%s)".formatted(tool, tool.path())));
        } catch (ToolNotFoundException none) {
            add(Finding.warn("profiler", String.valueOf(none.getMessage()), "Only tests that profile need it."));
        }
    }

    private void runtime(Platform platform) {
        try {
            InstalledRuntime runtime = InstalledRuntime.find(platform.root(), settings.value(Setting.RUNTIME_LIBRARY));
            add(Finding.ok("libnrt", "version %s (%s)".formatted(runtime.version(), runtime.library())));
        } catch (RuntimeUnavailableException none) {
            add(Finding.warn(
                    "libnrt",
                    String.valueOf(none.getMessage()),
                    "Only tests that use the runtime in their JVM need it."));
        }
        Map<String, String> set = new TreeMap<>(environment);
        set.keySet().retainAll(RUNTIME_VARIABLES);
        set.forEach((name, value) -> add(Finding.warn(
                "libnrt",
                "%s=%s is set in this environment".formatted(name, value),
                "Tests that use the runtime in their JVM are refused where it contradicts their cores: unset it.")));
    }

    private void java() {
        String version = "version " + Runtime.version() + " in " + System.getProperty("java.home");
        if (java >= NATIVE_ACCESS_WARNS) {
            add(Finding.warn(
                    "java",
                    version + " warns of native access, which libnrt and prints need",
                    "Give the JVM of the tests --enable-native-access=ALL-UNNAMED (Surefire: argLine, Gradle: jvmArgs);"
                            + " neuron-test run does."));
        } else {
            add(Finding.ok("java", version));
        }
    }

    private void ci() {
        List<String> set = CI.stream()
                .filter(name -> !environment.getOrDefault(name, "").isBlank())
                .toList();
        if (set.isEmpty()) {
            add(Finding.ok("ci", "not seen: none of " + String.join(", ", CI) + " is set"));
        } else {
            add(Finding.ok(
                    "ci",
                    "seen by %s; baselines are %s here"
                            .formatted(
                                    String.join(", ", set),
                                    settings.value(Setting.BASELINE_CI)
                                            ? "written, because neuron.test.baseline.ci allows it,"
                                            : "only proposed")));
        }
    }

    private void add(Finding finding) {
        findings.add(finding);
    }

    private static String some(List<?> all) {
        String first = all.stream().limit(SHOWN).map(String::valueOf).collect(Collectors.joining(", "));
        return all.size() <= SHOWN ? first : first + " and %d more".formatted(all.size() - SHOWN);
    }
}
