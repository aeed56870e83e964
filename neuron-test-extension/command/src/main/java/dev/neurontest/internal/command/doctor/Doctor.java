package dev.neurontest.internal.command.doctor;

import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.device.Family;
import dev.neurontest.device.LeaseException;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.internal.configuration.BadSettingException;
import dev.neurontest.internal.configuration.PlatformChoice;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.device.DatastoreCounters;
import dev.neurontest.internal.device.driver.NearestDriver;
import dev.neurontest.internal.lease.store.LeaseOverview;
import dev.neurontest.internal.lease.store.Mounts;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.platform.PlatformUnavailableException;
import dev.neurontest.internal.profile.tool.ProfilerTool;
import dev.neurontest.internal.runtime.InstalledRuntime;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.profile.ToolNotFoundException;
import dev.neurontest.runtime.RuntimeUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Examiner of everything that a test requires, in the order in which a test requires it. It changes nothing, unless it is called to remove
 * the leftovers of killed JVMs or to free a core.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Doctor {

    private static final Duration TOOL_ANSWERS_WITHIN = Duration.ofSeconds(30);

    /** Variables that the runtime reads and the extension sets for its own cores. */
    private static final List<String> RUNTIME_VARIABLES =
            List.of("NEURON_RT_VISIBLE_CORES", "NEURON_RT_NUM_CORES", "NEURON_LOGICAL_NC_CONFIG");

    private static final int NATIVE_ACCESS_WARNS = 24;
    private static final int SHOWN = 5;

    private final Settings settings;
    private final Map<String, String> environment;
    private final int java;
    private final boolean reaps;
    private final Optional<String> freed;
    private final List<DoctorFinding> findings = new ArrayList<>();

    private Doctor(
            Settings settings, Map<String, String> environment, int java, boolean reaps, Optional<String> freed) {
        this.settings = settings;
        this.environment = environment;
        this.java = java;
        this.reaps = reaps;
        this.freed = freed;
    }

    /**
     * Examines a host. On request, first ends and removes the leftovers of killed JVMs of this user, and frees a core from quarantine.
     *
     * @param settings the settings, including the choice of the host
     * @param environment variables of this process
     * @param java the feature version of the JVM
     * @param reaps true to remove the leftovers of killed JVMs
     * @param freed the number of a core, or the names of its physical cores; empty to free none
     * @return the findings and the changes
     */
    public static Diagnosis examine(
            Settings settings, Map<String, String> environment, int java, boolean reaps, Optional<String> freed) {
        Doctor doctor = new Doctor(settings, environment, java, reaps, freed);
        String host = "this machine";
        if (doctor.settings()) {
            // Called first, because removed leftovers must not appear in the other findings. The results are reported
            // last.
            List<DoctorFinding> leftovers = doctor.leftovers();
            host = doctor.host();
            leftovers.forEach(doctor::add);
        }
        doctor.java();
        doctor.add(DoctorFinding.ok(
                "ci", Settings.isCi(environment) ? "CI is set: tests write no baselines here" : "CI is not set"));
        return new Diagnosis(host, doctor.findings);
    }

    /** Checks whether all settings can be parsed, and adds the mistakes to the findings. */
    private boolean settings() {
        // A setting with a default from another setting repeats the mistake of that setting.
        Set<String> mistakes = new LinkedHashSet<>();
        for (Setting<?> setting : Setting.all()) {
            try {
                settings.get(setting);
            } catch (BadSettingException bad) {
                mistakes.add(String.valueOf(bad.getMessage()));
            }
        }
        mistakes.forEach(mistake -> add(DoctorFinding.of(Code.MISTAKEN_SETTING, mistake, "")));
        settings.warnings().forEach(warning -> add(DoctorFinding.of(Code.UNKNOWN_SETTING, warning, "")));
        if (mistakes.isEmpty()) {
            add(DoctorFinding.ok("settings", "platform " + settings.get(Setting.PLATFORM)));
        }
        return mistakes.isEmpty();
    }

    private List<DoctorFinding> leftovers() {
        return reaps ? Leftovers.reap(settings) : Leftovers.examine(settings);
    }

    private String host() {
        try (Platform platform = Platform.open(settings)) {
            NeuronHost host = platform.host();
            platform.recordedAt().ifPresent(when -> add(DoctorFinding.ok("host", "recorded " + when)));
            platform.notices().forEach(notice -> add(DoctorFinding.of(Code.OTHER_HOST, notice, "")));
            driver(host);
            Devices.examine(host).forEach(this::add);
            if (platform.kind() != Platform.Kind.REPLAY) {
                KernelLines.examine(host).forEach(this::add);
            }
            permissions(platform);
            owners(host);
            leases(platform);
            Versions versions = new Versions();
            host.driverVersion().ifPresent(versions::driver);
            tool(platform).ifPresent(versions::tool);
            runtime(platform).ifPresent(versions::runtime);
            variables();
            versions.findings().forEach(this::add);
            return host.tree().name();
        } catch (PlatformUnavailableException none) {
            PlatformChoice choice = settings.value(Setting.PLATFORM);
            add(DoctorFinding.of(
                    choice instanceof PlatformChoice.Hardware ? Code.NO_HOST : Code.IMPOSSIBLE_HOST,
                    String.valueOf(none.getMessage()),
                    withoutHost(choice)));
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
            // The message contains the mistake in the name, or the missing part of the class path.
            return "";
        }
        return choice instanceof PlatformChoice.Replay ? fake : fake + " " + instance;
    }

    private void driver(NeuronHost host) {
        if (host.driverVersion().isEmpty()) {
            add(DoctorFinding.of(
                    Code.HIDDEN_DRIVER_VERSION,
                    "the host shows no version of the kernel module (sys/module/neuron/version)",
                    "Counters are found by their files; run modinfo neuron to see the version."));
        } else {
            add(DoctorFinding.ok("driver", "version " + host.driverVersion().get()));
        }
        if (host.datastoreCounters() == DatastoreCounters.DEFERRED) {
            // No driver that counts at once supports Inf1.
            boolean hasLiveDriver = host.devices().stream()
                    .noneMatch(device -> device.architecture().family() == Family.INF1);
            add(DoctorFinding.of(
                    Code.LATE_COUNTERS,
                    "execution and status counters change only when the process that used a core closes its device (%s)"
                            .formatted(host.datastoreCountersReason()),
                    "End the program under test before its test ends"
                            + (hasLiveDriver ? ", or use driver 2.30 or later." : ".")));
        }
    }

    private void permissions(Platform platform) {
        try {
            CounterScope whole = new CounterScopes(platform.host()).wholeHost();
            counters(platform.host(), whole);
            CounterSnapshot all = CounterSnapshot.of(whole);
            List<NeuronSysfsException> unreadable = all.unreadable();
            if (unreadable.isEmpty()) {
                add(DoctorFinding.ok("counters", CountText.of(all.size(), "file") + " can be read"));
            } else {
                add(DoctorFinding.of(
                        Code.UNREADABLE_COUNTERS,
                        "%s of %s cannot be read, the first: %s"
                                .formatted(
                                        unreadable.size(),
                                        CountText.of(all.size(), "file"),
                                        unreadable.get(0).getMessage()),
                        ""));
            }
        } catch (NeuronSysfsException unreadable) {
            add(DoctorFinding.of(Code.UNREADABLE_COUNTERS, String.valueOf(unreadable.getMessage()), ""));
        }
        nodes(platform);
    }

    private void counters(NeuronHost host, CounterScope whole) {
        whole.census().forEach(counters -> add(DoctorFinding.ok("counters", counters)));
        whole.doubts()
                .forEach(doubt -> add(DoctorFinding.of(
                        Code.UNSEEN_ERRORS,
                        doubt,
                        "Until this is fixed, the rule \"no error counter may move\" is undecided here.")));
        NearestDriver nearest = NearestDriver.of(host);
        if (nearest.differences().isEmpty()) {
            add(DoctorFinding.ok("counters", "names and places are those of driver " + nearest.driver()));
        }
        nearest.differences()
                .forEach(
                        difference -> add(
                                DoctorFinding.of(
                                        Code.UNKNOWN_NODES,
                                        "unlike driver %s, the nearest known one: %s"
                                                .formatted(nearest.driver(), difference),
                                        "Counters are found by their names. neuron-test record writes the files of this host to a recording.")));
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
            add(DoctorFinding.ok("access", "the devices can be opened by " + System.getProperty("user.name")));
        } else {
            add(
                    DoctorFinding.of(
                            Code.CLOSED_DEVICE,
                            "%s cannot be opened by %s"
                                    .formatted(ListText.some(closed, SHOWN), System.getProperty("user.name")),
                            "See ls -l /dev/neuron*; the rules of aws-neuronx-dkms for udev open them to all. In a container: --device."));
        }
    }

    private void owners(NeuronHost host) {
        Map<NeuronDevice, List<ProcessOwner>> owners = host.owners();
        if (owners.isEmpty()) {
            add(DoctorFinding.ok("owners", "no process that is visible from here has a device open"));
        }
        owners.forEach((device, processes) -> add(DoctorFinding.of(
                Code.DEVICE_IN_USE,
                "%s is open in %s".formatted(device.name(), ListText.some(processes, SHOWN)),
                "Tests do not get its cores while it is open (neuron.test.lease.owners).")));
    }

    private void leases(Platform platform) {
        if (platform.isOfThisJvm()) {
            freed.ifPresent(core -> add(notFreed(core, "this host has no table that JVMs share")));
            return;
        }
        Path directory = settings.value(Setting.LEASE_DIRECTORY).orElseGet(platform::leaseDirectory);
        try {
            if (reaps && LeaseOverview.of(directory).isPresent()) {
                // When a JVM joins, it releases the leases of dead JVMs.
                LeaseTable.builder(platform.host()).directory(directory).open().close();
            }
            freed.ifPresent(core -> free(platform.host(), directory, core));
            LeaseChecks.examine(platform.host(), directory, platform.kind() == Platform.Kind.REAL ? new Mounts() : null)
                    .forEach(this::add);
        } catch (LeaseException unusable) {
            add(DoctorFinding.of(Code.UNUSABLE_LEASES, String.valueOf(unusable.getMessage()), ""));
        }
    }

    private void free(NeuronHost host, Path directory, String core) {
        if (LeaseOverview.of(directory).isEmpty()) {
            add(notFreed(core, "nothing has been leased yet in " + directory));
            return;
        }
        try (LeaseTable table = LeaseTable.builder(host).directory(directory).open()) {
            LeaseChecks.freed(core, table.free(core)).forEach(this::add);
        }
    }

    private static DoctorFinding notFreed(String core, String reason) {
        return LeaseChecks.freed(core, new LeaseTable.Freed(List.of(), Optional.of(reason)))
                .get(0);
    }

    private Optional<ProfilerTool> tool(Platform platform) {
        try {
            ProfilerTool tool = ProfilerTool.find(new ProfilerTool.Search(
                    platform.root(),
                    settings.value(Setting.PROFILER),
                    environment.getOrDefault("PATH", ""),
                    platform.environment(),
                    TOOL_ANSWERS_WITHIN));
            add(DoctorFinding.ok("profiler", "%s (%s)".formatted(tool, tool.path())));
            return Optional.of(tool);
        } catch (ToolNotFoundException none) {
            add(DoctorFinding.of(
                    Code.NO_PROFILER, String.valueOf(none.getMessage()), "Only tests that profile need it."));
            return Optional.empty();
        }
    }

    private Optional<InstalledRuntime> runtime(Platform platform) {
        try {
            InstalledRuntime runtime = InstalledRuntime.find(platform.root(), settings.value(Setting.RUNTIME_LIBRARY));
            add(DoctorFinding.ok("libnrt", "version %s (%s)".formatted(runtime.version(), runtime.library())));
            return Optional.of(runtime);
        } catch (RuntimeUnavailableException none) {
            add(DoctorFinding.of(
                    Code.NO_RUNTIME,
                    String.valueOf(none.getMessage()),
                    "Only tests that use the runtime in their JVM need it."));
            return Optional.empty();
        }
    }

    private void variables() {
        Map<String, String> set = new TreeMap<>(environment);
        set.keySet().retainAll(RUNTIME_VARIABLES);
        set.forEach((name, value) -> add(DoctorFinding.of(
                Code.CHOSEN_CORES,
                "%s=%s is set in this environment".formatted(name, value),
                "Tests that use the runtime in their JVM are refused where it contradicts their cores: unset it.")));
    }

    private void java() {
        String version = "version " + Runtime.version() + " in " + System.getProperty("java.home");
        if (java >= NATIVE_ACCESS_WARNS) {
            add(DoctorFinding.of(
                    Code.NATIVE_ACCESS,
                    version + " warns of native access, which libnrt and prints need",
                    "Start the JVM of the tests with --enable-native-access=ALL-UNNAMED (Surefire: argLine, Gradle: jvmArgs);"
                            + " neuron-test run does this."));
        } else {
            add(DoctorFinding.ok("java", version));
        }
    }

    private void add(DoctorFinding finding) {
        findings.add(finding);
    }
}
