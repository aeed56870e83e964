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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The host that the tests run on, opened as {@code neuron.test.platform} says. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Platform implements AutoCloseable {

    /** The reason to skip of a machine without devices. */
    private static final String WITHOUT_HARDWARE = "; to run without hardware: neuron.test.platform=fake:trn1.2xlarge";

    private static final String DEVICES = "sys/devices/virtual/neuron_device";
    private static final String LEASES = "tmp/neuron-test-leases";
    private static final String FAKE_HOST = "dev.neurontest.fake.FakeNeuronHost";

    /** What kind of host it is, as reports label it. */
    public enum Kind {
        /** The devices of this machine. */
        REAL,
        /** A fake host of this JVM. */
        FAKE,
        /** A host below some directory. */
        ROOT,
        /** A recording of a host, which a fake of this JVM shows. */
        REPLAY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Kind kind;
    private final ConfiguredValue<PlatformChoice> choice;
    private final NeuronHost host;
    private final @Nullable FakePlatform fake;

    private Platform(Kind kind, ConfiguredValue<PlatformChoice> choice, NeuronHost host, @Nullable FakePlatform fake) {
        this.kind = kind;
        this.choice = choice;
        this.host = host;
        this.fake = fake;
    }

    /**
     * Opens the host and looks what it has.
     *
     * @param settings say which host, and how its cores are numbered
     * @return the open platform; a fake host is its own and ends with it
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

    private static Platform hardware(ConfiguredValue<PlatformChoice> choice, Settings settings) {
        FakeAtRealPath.reason(Path.of("/", DEVICES)).ifPresent(reason -> {
            throw new PlatformUnavailableException(reason, null);
        });
        try {
            return new Platform(Kind.REAL, choice, discover(FileTree.at(Path.of("/")), settings), null);
        } catch (NoNeuronDeviceException | IOException none) {
            boolean must = choice.value() instanceof PlatformChoice.Hardware hardware && hardware.required();
            throw new PlatformUnavailableException(none.getMessage() + (must ? "" : WITHOUT_HARDWARE), none);
        }
    }

    private static Platform root(Path directory, ConfiguredValue<PlatformChoice> choice, Settings settings) {
        if (!Files.isDirectory(directory.resolve(DEVICES))) {
            throw new PlatformUnavailableException(
                    "%s: %s is no host root, there is no %s in it"
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

    private static NeuronHost discover(HostTree tree, Settings settings) {
        LogicalCoreSize size = settings.value(Setting.LNC).stream()
                .mapToObj(LogicalCoreSize::of)
                .findFirst()
                .orElse(LogicalCoreSize.BY_FAMILY);
        CoreMap map = CoreMap.valueOf(settings.value(Setting.CORE_MAP).name());
        return NeuronHost.discover(tree, size, map);
    }

    /**
     * The hosts that the fake can be.
     *
     * @return instance types; none where the fake is not on the class path
     */
    public static List<String> fakeInstanceTypes() {
        try {
            return FakePlatform.instanceTypes();
        } catch (NoClassDefFoundError absent) {
            return List.of();
        }
    }

    /**
     * What kind of host it is.
     *
     * @return for labels in reports
     */
    public Kind kind() {
        return kind;
    }

    /**
     * How it was chosen.
     *
     * @return the setting with its origin
     */
    public ConfiguredValue<PlatformChoice> choice() {
        return choice;
    }

    /**
     * The host.
     *
     * @return as it was when the platform was opened
     */
    public NeuronHost host() {
        return host;
    }

    /**
     * Whether a parameter of this type is the fake host.
     *
     * @param type a type of the user's, who alone knows whether the fake is on the class path
     * @return true for {@code dev.neurontest.fake.FakeNeuronHost}
     */
    public static boolean isFakeHost(Class<?> type) {
        return type.getName().equals(FAKE_HOST);
    }

    /**
     * The fake host, for tests that script what the hardware does.
     *
     * @return empty on every other kind of platform, also where a recording says what the hardware did
     */
    public Optional<Object> fake() {
        return Optional.ofNullable(fake).filter(each -> kind == Kind.FAKE).map(FakePlatform::host);
    }

    /**
     * What happened after the moment at which a recording begins.
     *
     * @return empty on every other kind of platform
     */
    public Optional<ReplayedTimeline> timeline() {
        return fake != null && choice.value() instanceof PlatformChoice.Replay replay
                ? Optional.of(fake.timeline(replay.timeline() == PlatformChoice.Timeline.PLAY))
                : Optional.empty();
    }

    /**
     * When the host was recorded.
     *
     * @return such as {@code 2026-11-22T02:13:20.000Z}; empty where it is no recording
     */
    public Optional<String> recordedAt() {
        return Optional.ofNullable(fake).flatMap(FakePlatform::recordedAt);
    }

    /**
     * What is otherwise than it was chosen: that a fake host shows ordinary files because there can be no mount, or that a
     * recorded one is taken for another that is like it.
     *
     * @return lines of text with their reasons; usually none
     */
    public List<String> notices() {
        if (fake == null) {
            return List.of();
        }
        return Stream.concat(
                        fake.remarks().stream(),
                        fake.notMounted().stream()
                                .map(reason -> "The fake host has no FUSE view, ordinary files stand in: " + reason))
                .toList();
    }

    /**
     * Which driver's files a fake host shows.
     *
     * @return such as {@code driver-2.30}, for a recording the one that is like it; empty on every other kind of platform
     */
    public Optional<String> layout() {
        return Optional.ofNullable(fake).map(FakePlatform::layout);
    }

    /**
     * Whether this JVM alone can use the host.
     *
     * @return true for a fake host and a recording
     */
    public boolean isOfThisJvm() {
        return fake != null;
    }

    /**
     * The directory that the host's paths start from. A fake host becomes a directory when it is asked.
     *
     * @return {@code /} for the machine's own devices
     */
    public Path root() {
        return fake == null ? Path.of(host.tree().location("")) : fake.root();
    }

    /**
     * Where the table of leases is that all test JVMs on the host share.
     *
     * @return a directory below the host's root
     */
    public Path leaseDirectory() {
        return Path.of(host.tree().location(LEASES));
    }

    /**
     * What a child process finds the host by.
     *
     * @return environment variables; none on the machine's own devices
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
