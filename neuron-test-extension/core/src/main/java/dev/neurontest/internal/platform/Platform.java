package dev.neurontest.internal.platform;

import dev.neurontest.device.LogicalCoreSize;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.NoNeuronDeviceException;
import dev.neurontest.internal.configuration.ConfiguredValue;
import dev.neurontest.internal.configuration.PlatformChoice;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.device.CoreMap;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The host of the tests, opened by the setting {@code neuron.test.platform}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Platform implements AutoCloseable {

    /** Advice after the reason why tests are skipped or fail on a machine without devices. */
    private static final String WITHOUT_HARDWARE = "; to run without hardware: neuron.test.platform=fake:trn1.2xlarge";

    private static final String DEVICES = "sys/devices/virtual/neuron_device";
    private static final String LEASES = "tmp/neuron-test-leases";
    private static final String FAKE_HOST = "dev.neurontest.fake.FakeNeuronHost";

    /** The kinds of hosts, as labels in reports. */
    public enum Kind {
        /** The devices of this machine. */
        REAL,
        /** A fake host of this JVM. */
        FAKE,
        /** A host below a directory. */
        ROOT,
        /** A recording of a host, shown by a fake of this JVM. */
        REPLAY,
        /** This machine, if it has no devices. Only tests that need no core run on it. */
        NONE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Kind kind;
    private final ConfiguredValue<PlatformChoice> choice;
    private final NeuronHost host;
    private final @Nullable FakePlatform fake;
    private final Optional<String> absence;

    private Platform(Kind kind, ConfiguredValue<PlatformChoice> choice, NeuronHost host, @Nullable FakePlatform fake) {
        this.kind = kind;
        this.choice = choice;
        this.host = host;
        this.fake = fake;
        this.absence = Optional.empty();
    }

    private Platform(ConfiguredValue<PlatformChoice> choice, HostTree machine, String absence) {
        this.kind = Kind.NONE;
        this.choice = choice;
        this.host = NeuronHost.withoutDevices(machine);
        this.fake = null;
        this.absence = Optional.of(absence);
    }

    /**
     * Opens the host, or this machine without devices if hardware is optional and missing.
     *
     * @param settings settings for the host and the numbering of its cores
     * @return the open platform; closing it ends its fake host
     * @throws PlatformUnavailableException with the reason, when a host is required and missing
     */
    public static Platform openIfPresent(Settings settings) {
        try {
            return open(settings);
        } catch (PlatformUnavailableException none) {
            ConfiguredValue<PlatformChoice> choice = settings.get(Setting.PLATFORM);
            if (!(choice.value() instanceof PlatformChoice.Hardware hardware) || hardware.required()) {
                throw none;
            }
            try {
                return new Platform(choice, FileTree.at(Path.of("/")), String.valueOf(none.getMessage()));
            } catch (IOException unreadable) {
                throw none;
            }
        }
    }

    /** Returns why the machine has no host; empty with a host. */
    public Optional<String> absence() {
        return absence;
    }

    /**
     * Opens the host and discovers its devices.
     *
     * @param settings settings for the host and the numbering of its cores
     * @return the open platform; closing it ends its fake host
     * @throws PlatformUnavailableException with the reason, when there is no such host
     */
    public static Platform open(Settings settings) {
        ConfiguredValue<PlatformChoice> choice = settings.get(Setting.PLATFORM);
        if (choice.value() instanceof PlatformChoice.Hardware) {
            return hardware(choice, settings);
        }
        if (choice.value() instanceof PlatformChoice.Root root) {
            return root(root.directory(), choice, settings);
        }
        if (choice.value() instanceof PlatformChoice.Replay replay) {
            return ofThisJvm(Kind.REPLAY, () -> FakePlatform.replay(replay.file()), choice, settings);
        }
        PlatformChoice.Fake fake = (PlatformChoice.Fake) choice.value();
        return ofThisJvm(
                Kind.FAKE, () -> FakePlatform.start(fake, settings.value(Setting.FAKE_FOLDER)), choice, settings);
    }

    /**
     * Starts one of several fake hosts of this machine.
     *
     * @param settings settings with a fake host
     * @return the open platform, whose files other processes can read
     * @throws PlatformUnavailableException with the reason, when there is no such host
     */
    public static Platform fakeOfSeveral(Settings settings) {
        ConfiguredValue<PlatformChoice> choice = settings.get(Setting.PLATFORM);
        PlatformChoice.Fake fake = (PlatformChoice.Fake) choice.value().onEachHost();
        return ofThisJvm(
                Kind.FAKE, () -> FakePlatform.start(fake, settings.value(Setting.FAKE_FOLDER)), choice, settings);
    }

    /**
     * Checks before tests run that the chosen host can exist. Devices of this machine are not checked, because their absence is a result
     * of the tests. No files of a fake host are created.
     *
     * @throws PlatformUnavailableException with the reason, when no test can ever run on this host
     */
    public static void requirePossible(Settings settings) {
        ConfiguredValue<PlatformChoice> choice = settings.get(Setting.PLATFORM);
        boolean absentHere = choice.value().ofThisJvm() && fakeInstanceTypes().isEmpty();
        if (choice.value() instanceof PlatformChoice.Hardware || absentHere) {
            return;
        }
        if (choice.value() instanceof PlatformChoice.Fake fake) {
            PlatformChoice.Fake inProcess = fake.withView(PlatformChoice.View.IN_PROCESS);
            ofThisJvm(Kind.FAKE, () -> FakePlatform.start(inProcess, Optional.empty()), choice, settings)
                    .close();
        } else {
            open(settings).close();
        }
    }

    private static Platform hardware(ConfiguredValue<PlatformChoice> choice, Settings settings) {
        FakeAtRealPath.reason(Path.of("/", DEVICES)).ifPresent(reason -> {
            throw new PlatformUnavailableException(reason, null);
        });
        try {
            return new Platform(Kind.REAL, choice, discover(FileTree.at(Path.of("/")), settings), null);
        } catch (NoNeuronDeviceException | IOException none) {
            throw new PlatformUnavailableException(none.getMessage() + WITHOUT_HARDWARE, none);
        }
    }

    private static Platform root(Path directory, ConfiguredValue<PlatformChoice> choice, Settings settings) {
        if (!Files.isDirectory(directory.resolve(DEVICES))) {
            throw new PlatformUnavailableException(
                    "%s: %s is not a host root, because it has no %s"
                            .formatted(choice.source(), directory.toAbsolutePath(), DEVICES),
                    null);
        }
        try {
            return new Platform(Kind.ROOT, choice, discoverChosen(FileTree.at(directory), choice, settings), null);
        } catch (IOException refused) {
            throw new PlatformUnavailableException(choice.source() + ": " + refused, refused);
        }
    }

    private static Platform ofThisJvm(
            Kind kind, Supplier<FakePlatform> start, ConfiguredValue<PlatformChoice> choice, Settings settings) {
        FakePlatform fake;
        try {
            fake = start.get();
        } catch (NoClassDefFoundError missing) {
            throw new PlatformUnavailableException(
                    "%s: the fake host%s is not on the class path; add dev.neurontest:fake-sysfs to the test dependencies"
                            .formatted(choice.source(), kind == Kind.REPLAY ? ", which shows recordings," : ""),
                    missing);
        } catch (IllegalArgumentException | UncheckedIOException none) {
            throw new PlatformUnavailableException(choice.source() + ": " + none.getMessage(), none);
        }
        try {
            return new Platform(kind, choice, discoverChosen(fake.tree(), choice, settings), fake);
        } catch (RuntimeException failed) {
            fake.close();
            throw failed;
        }
    }

    private static NeuronHost discoverChosen(HostTree tree, ConfiguredValue<PlatformChoice> choice, Settings settings) {
        try {
            return discover(tree, settings);
        } catch (NoNeuronDeviceException none) {
            throw new PlatformUnavailableException(choice.source() + ": " + none.getMessage(), none);
        }
    }

    /**
     * Discovers the devices of a host with the numbering of the settings.
     *
     * @throws NoNeuronDeviceException if there are none
     */
    public static NeuronHost discover(HostTree tree, Settings settings) {
        OptionalInt chosen = settings.value(Setting.LNC);
        LogicalCoreSize size = chosen.isPresent() ? LogicalCoreSize.of(chosen.getAsInt()) : LogicalCoreSize.BY_FAMILY;
        CoreMap map = CoreMap.valueOf(settings.value(Setting.CORE_MAP).name());
        return NeuronHost.discover(tree, size, map);
    }

    /**
     * Returns the instance types that the fake supports.
     *
     * @return instance types; empty when the fake is not on the class path
     */
    public static List<String> fakeInstanceTypes() {
        try {
            return FakePlatform.instanceTypes();
        } catch (NoClassDefFoundError absent) {
            return List.of();
        }
    }

    /** Returns the class of the fake; empty if it is not on the class path. */
    public static Optional<Class<?>> fakeClass() {
        try {
            return Optional.of(FakePlatform.type());
        } catch (NoClassDefFoundError absent) {
            return Optional.empty();
        }
    }

    /** Returns the kind of host, for labels in reports. */
    public Kind kind() {
        return kind;
    }

    /** Returns the setting of the platform with its origin. */
    public ConfiguredValue<PlatformChoice> choice() {
        return choice;
    }

    /** Returns the host as discovered when the platform was opened. */
    public NeuronHost host() {
        return host;
    }

    /**
     * Checks whether a type is {@code dev.neurontest.fake.FakeNeuronHost}. The check compares names, because the fake might be absent from
     * the class path of the extension.
     */
    public static boolean isFakeHost(Class<?> type) {
        return type.getName().equals(FAKE_HOST);
    }

    /**
     * Returns the fake host, for tests that script the hardware.
     *
     * @return empty on every other kind of platform, including recordings, which script the hardware themselves
     */
    public Optional<Object> fake() {
        return Optional.ofNullable(fake).filter(each -> kind == Kind.FAKE).map(FakePlatform::host);
    }

    /**
     * Returns the scripts of a fake host that can still change something.
     *
     * @return the scripts; empty on other kinds of platform
     */
    public List<FakeScript> scripts() {
        return fake == null ? List.of() : fake.scripts();
    }

    /**
     * Returns the timeline of a recording.
     *
     * @return empty on every other kind of platform
     */
    public Optional<ReplayedTimeline> timeline() {
        return fake != null && choice.value() instanceof PlatformChoice.Replay replay
                ? Optional.of(fake.timeline(replay.timeline() == PlatformChoice.Timeline.PLAY))
                : Optional.empty();
    }

    /**
     * Returns the time of the recording.
     *
     * @return for example {@code 2026-11-22T02:13:20.000Z}; empty for other kinds of platform
     */
    public Optional<String> recordedAt() {
        return Optional.ofNullable(fake).flatMap(FakePlatform::recordedAt);
    }

    /**
     * Returns the differences from the chosen platform. A fake host uses ordinary files where no mount is possible, and an unknown recorded
     * host is treated as a similar one.
     *
     * @return lines of text with reasons; usually empty
     */
    public List<String> notices() {
        if (fake == null) {
            return List.of();
        }
        List<String> notices = new ArrayList<>(fake.remarks());
        Optional<String> reason = fake.notMounted();
        if (reason.isPresent()) {
            notices.add("The fake host has no FUSE view, ordinary files are used instead: " + reason.get());
        }
        return List.copyOf(notices);
    }

    /**
     * Returns the driver layout of a fake host.
     *
     * @return for example {@code driver-2.30}, for a recording the similar layout; empty on every other kind of platform
     */
    public Optional<String> layout() {
        return fake == null ? Optional.empty() : Optional.of(fake.layout());
    }

    /**
     * Checks whether only this JVM can use the host.
     *
     * @return true for a fake host, a recording, and without devices
     */
    public boolean isOfThisJvm() {
        return fake != null || absence.isPresent();
    }

    /**
     * Returns the root directory of the host's paths. A fake host creates its directory on the first call.
     *
     * @return {@code /} for the machine's own devices
     */
    public Path root() {
        return fake == null ? Path.of(host.tree().location("")) : fake.root();
    }

    /**
     * Returns the directory of the lease table that all test JVMs on the host share.
     *
     * @return a directory below the host's root
     */
    public Path leaseDirectory() {
        return Path.of(host.tree().location(LEASES));
    }

    /**
     * Returns the environment variables that point child processes to the host.
     *
     * @return empty for the machine's own devices
     */
    public Map<String, String> environment() {
        if (fake != null) {
            return fake.environment();
        }
        return choice.value() instanceof PlatformChoice.Root root ? HostEnvironment.of(root.directory()) : Map.of();
    }

    /** Ends a fake host. */
    @Override
    public void close() {
        if (fake != null) {
            fake.close();
        }
    }
}
