package dev.neurontest.fake;

import dev.neurontest.fake.internal.archive.Archive;
import dev.neurontest.fake.internal.archive.ArchiveException;
import dev.neurontest.fake.internal.archive.ArchiveReader;
import dev.neurontest.fake.internal.control.CommandSession;
import dev.neurontest.fake.internal.control.ControlSocket;
import dev.neurontest.fake.internal.driver.Core;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.JournalEntry;
import dev.neurontest.fake.internal.driver.KernelLog;
import dev.neurontest.fake.internal.driver.RuntimeProcess;
import dev.neurontest.fake.internal.driver.instance.Election;
import dev.neurontest.fake.internal.driver.instance.HardwareFamily;
import dev.neurontest.fake.internal.driver.instance.InstanceType;
import dev.neurontest.fake.internal.driver.instance.Platform;
import dev.neurontest.fake.internal.fuse.FuseUnavailableException;
import dev.neurontest.fake.internal.script.AddedScript;
import dev.neurontest.fake.internal.systemtool.SystemToolWords;
import dev.neurontest.fake.internal.systemtool.SystemTools;
import dev.neurontest.fake.internal.tree.InProcessTree;
import dev.neurontest.fake.internal.tree.directory.DirectoryView;
import dev.neurontest.fake.internal.tree.directory.HostFolder;
import dev.neurontest.fake.internal.tree.directory.HostPlaces;
import dev.neurontest.fake.internal.tree.directory.HostTools;
import dev.neurontest.fake.internal.tree.layout.Layout;
import dev.neurontest.fake.internal.tree.layout.RecordedModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A Neuron host without hardware. It has an instance type, a release of the driver, and processes that change both.
 *
 * <pre>{@code
 * try (FakeNeuronHost host = FakeNeuronHost.builder().instance("trn1.32xlarge").start();
 *         FakeProcess process = host.openProcess(host.device(0).core(1))) {
 *     process.execute(host.device(0).core(1), NrtStatus.NRT_TIMEOUT, 3);
 *     byte[] timeouts = host.tree()
 *             .read("sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/timeout/total");
 * }
 * }</pre>
 *
 * <p>The state is in memory; {@link #tree()} provides access to it by method call. Safe for use by several threads.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeNeuronHost implements AutoCloseable {

    private static final String DEFAULT_INSTANCE = "trn1.2xlarge";
    private static final String DEFAULT_PROCESS = "neuron-app";

    private final Layout layout;
    private final Driver driver;
    private final Function<Object, List<String>> coreNames;
    private final Clock clock;
    private final InProcessTree tree;
    private final FakeTimeline timeline;
    private final @Nullable String recordedAt;
    private final List<String> replayRemarks;
    private final List<FakeDevice> devices;
    private final FakeProfiler profiler;
    private final FakeRuntime runtime;
    private final FakeSystemTools systemTools;
    private final SystemTools system;
    private final Map<Long, FakeProcess> processes = new ConcurrentSkipListMap<>();
    private final Set<FakeFault> faults = ConcurrentHashMap.newKeySet();

    private final @Nullable Path root;
    private final @Nullable Path folder;
    private final FakeView wantedView;
    private final boolean viewRequired;
    private final Object directoryLock = new Object();
    // Guarded by directoryLock.
    private @Nullable HostDirectory directory;
    private @Nullable ControlSocket control;
    private boolean closed;

    private FakeNeuronHost(Builder builder) {
        this.root = builder.root;
        this.folder = builder.folder;
        this.wantedView = builder.view;
        this.viewRequired = builder.viewRequired;
        this.clock = builder.clock;
        this.coreNames = builder.coreNames == null ? core -> List.of(core.toString()) : builder.coreNames;
        Archive archive = builder.archive();
        RecordedModel model = archive == null ? null : RecordedModel.of(archive, builder.layout);
        InstanceType type = model != null ? model.instanceType() : InstanceType.named(builder.instanceOrDefault());
        this.layout = model != null ? model.layout() : Layout.of(type, builder.layout);
        this.driver = new Driver(type, layout.rules(type.family().architecture()), clock, builder.resetDuration);
        if (archive == null || model == null) {
            this.tree = builder.container == null
                    ? new InProcessTree(driver, layout, builder.reader)
                    : new InProcessTree(driver, layout, given(builder.container), builder.reader);
            this.recordedAt = null;
            this.replayRemarks = List.of();
            this.timeline = new FakeTimeline(new Archive(Map.of(), Map.of(), List.of()), tree);
        } else {
            this.recordedAt = Archive.printable(archive.header().getOrDefault("recorded", "at an unknown time"));
            driver.journal().add("shows " + builder.recording + ", recorded " + recordedAt);
            this.replayRemarks = model.remarks();
            replayRemarks.forEach(driver.journal()::add);
            model.election().ifPresent(driver::elect);
            this.tree = InProcessTree.replaying(driver, layout, archive, builder.reader);
            this.timeline = new FakeTimeline(archive, tree);
        }
        List<FakeDevice> ofDriver = new ArrayList<>();
        for (Device device : driver.devices()) {
            ofDriver.add(new FakeDevice(this, device));
        }
        this.devices = List.copyOf(ofDriver);
        this.profiler = new FakeProfiler(this);
        this.runtime = new FakeRuntime(this);
        List<Device> nodes = builder.container == null
                ? driver.devices()
                : builder.container.stream().map(driver.devices()::get).toList();
        this.system = new SystemTools(driver, nodes, builder.container != null, runtime::version);
        this.systemTools = new FakeSystemTools(sdkMinor(), system);
    }

    private List<Integer> given(List<Integer> container) {
        for (int index : container) {
            if (index < 0 || index >= driver.devices().size()) {
                throw new IllegalArgumentException("a container cannot be given neuron" + index + ": " + instanceType()
                        + " has " + driver.devices().size() + " devices");
            }
        }
        if (Set.copyOf(container).size() < container.size()) {
            throw new IllegalArgumentException(
                    "a container can have each device only once, but was given " + container);
        }
        return container;
    }

    /**
     * Creates a builder of a host.
     *
     * @return a builder for a trn1.2xlarge with the newest driver
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the instance types that a host can have.
     *
     * @return EC2 names, oldest family first
     */
    public static List<String> instanceTypes() {
        return InstanceType.all().stream().map(InstanceType::name).toList();
    }

    /**
     * Returns the layouts of real drivers that a host can have.
     *
     * @return names, the newest driver last
     */
    public static List<String> layouts() {
        return Layout.names();
    }

    /**
     * Returns the layouts of real drivers that support an instance type.
     *
     * @param instanceType one of {@link #instanceTypes()}
     * @return names, the newest driver last, which is the default
     * @throws IllegalArgumentException when there is no such instance type
     */
    public static List<String> layouts(String instanceType) {
        return Layout.names(InstanceType.named(instanceType).family());
    }

    /**
     * Returns the layouts that a host can have but that no driver has. They have everything that {@code driver-2.30} has, at other paths,
     * under a version higher than any known version. A program that finds an attribute by its name, not by its path, reads them in the same
     * way. They do not describe any driver.
     *
     * @return names
     */
    public static List<String> inventedLayouts() {
        return Layout.invented();
    }

    /**
     * Returns the instance type.
     *
     * @return an EC2 name
     */
    public String instanceType() {
        return driver.instanceType().name();
    }

    /**
     * Returns the name of the layout.
     *
     * @return a name such as {@code driver-2.30}
     */
    public String layout() {
        return layout.name();
    }

    /**
     * Returns the release of the driver.
     *
     * @return the content of {@code sys/module/neuron/version}
     */
    public String driverVersion() {
        return driver.rules().version();
    }

    /**
     * Returns all devices, including removed ones.
     *
     * @return the devices, in order of their index
     */
    public List<FakeDevice> devices() {
        return devices;
    }

    /**
     * Returns a device.
     *
     * @param index an index from 0
     * @return the device
     * @throws IllegalArgumentException when the host has no such device
     */
    public FakeDevice device(int index) {
        if (index < 0 || index >= devices.size()) {
            throw new IllegalArgumentException(
                    instanceType() + " has " + devices.size() + " devices and no device " + index);
        }
        return devices.get(index);
    }

    /**
     * Returns a device by name.
     *
     * @param name a name such as {@code neuron3}
     * @return the device
     * @throws IllegalArgumentException when the host has no such device
     */
    public FakeDevice device(String name) {
        return devices.stream()
                .filter(device -> device.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no device \"" + name + "\" on " + instanceType()
                        + ": it has neuron0 to neuron" + (devices.size() - 1)));
    }

    /**
     * Returns a physical core.
     *
     * @param core the {@code NeuronCore} of a test, for its first physical core, or a name such as {@code neuron0/neuron_core1}
     * @return the core
     * @throws IllegalArgumentException when the host has no such core
     */
    public FakeCore core(Object core) {
        return physicalCores(core).get(0);
    }

    /** Returns the physical cores of a core of any type, of its name, or of a collection of these. */
    List<FakeCore> physicalCores(Object core) {
        if (core instanceof FakeCore physical) {
            return List.of(physical);
        }
        if (core instanceof Collection<?> several && !several.isEmpty()) {
            return several.stream()
                    .flatMap(each -> physicalCores(each).stream())
                    .toList();
        }
        return coreNames.apply(core).stream().map(this::named).toList();
    }

    private FakeCore named(String name) {
        return devices.stream()
                .flatMap(device -> device.cores().stream())
                .filter(core -> core.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no core \"" + name + "\" on " + instanceType()
                        + ": it has neuron0/neuron_core0 to neuron" + (devices.size() - 1) + "/neuron_core"
                        + (devices.get(0).cores().size() - 1)));
    }

    /**
     * Starts a process that takes cores, with the default name.
     *
     * @param cores each a {@code NeuronCore} of a test with all its physical cores, a list of these, or a physical core; at least one
     * @return the process
     * @throws IllegalStateException when another process holds one of the cores (the message names the holder), a device cannot be opened,
     *     or the host is closed
     */
    public FakeProcess openProcess(Object... cores) {
        return openProcess(DEFAULT_PROCESS, cores);
    }

    /**
     * Starts a process that takes cores. It resets the cores, as the runtime does: {@code reset_req_count} rises by one on each.
     * While one of the devices is in reset, it waits.
     *
     * @param name the name in {@code proc/<pid>/comm}, cut to 15 characters
     * @param cores each a {@code NeuronCore} of a test with all its physical cores, a list of these, or a physical core; at least one
     * @return the process
     * @throws IllegalStateException when another process holds one of the cores (the message names the holder), a device cannot be opened
     *     because it is removed or its last reset failed, or the host is closed
     * @throws IllegalArgumentException when the name of a core is given as that of the process
     */
    public FakeProcess openProcess(String name, Object... cores) {
        if (name.contains("/neuron_core")) {
            throw new IllegalArgumentException("the name of the process is missing before the core \"" + name
                    + "\": openProcess(\"" + DEFAULT_PROCESS + "\", \"" + name + "\")");
        }
        return process(name).open(cores);
    }

    /**
     * Creates a builder of a process. It can set the process id, or select cores as the runtime counts them.
     *
     * @param name the name in {@code proc/<pid>/comm}, cut to 15 characters
     * @return a builder; call its {@code open} or {@code init} to start the process
     */
    public FakeProcess.Builder process(String name) {
        return new FakeProcess.Builder(this, name);
    }

    FakeProcess start(Function<Driver, RuntimeProcess> start) {
        synchronized (directoryLock) {
            requireOpen();
        }
        RuntimeProcess started = start.apply(driver);
        FakeProcess process = new FakeProcess(
                this,
                started,
                started.cores().stream()
                        .map(core -> devices.get(core.device().index()).core(core.index()))
                        .toList());
        processes.values().removeIf(ended -> !ended.alive());
        processes.put(process.pid(), process);
        return process;
    }

    /**
     * Returns the running processes.
     *
     * @return the processes, in the order in which they started
     */
    public List<FakeProcess> processes() {
        return driver.processes().stream()
                .map(started -> processes.get(started.pid()))
                .filter(process -> process != null && process.alive())
                .toList();
    }

    /**
     * Returns the refused requests for cores. A process is refused when it requests a core of another process. Each line names the holder
     * and is evidence that two programs selected the same core. After ten thousand lines the oldest are dropped.
     *
     * @return one line per refusal with its time, oldest first; empty when no core was requested twice
     */
    public List<String> refusals() {
        return driver.refusals().entries().stream().map(JournalEntry::toString).toList();
    }

    /**
     * Returns the number of refused requests for cores.
     *
     * @return the number, including the refusals that {@link #refusals()} has dropped
     */
    public long refusalCount() {
        return driver.refusals().noted();
    }

    /**
     * Returns the files of the host, for access by method call.
     *
     * @return the view of the host's {@link FakeReader}
     */
    public FakeTree tree() {
        return tree;
    }

    /**
     * Returns the recorded changes of a host that replays a recording.
     *
     * @return an empty timeline for a host without a recording
     */
    public FakeTimeline timeline() {
        return timeline;
    }

    /**
     * Returns the time when the recording of this host was made.
     *
     * @return the time from the recording, such as {@code 2026-11-22T02:13:20.000Z}; empty for a host without a recording
     */
    public Optional<String> recordedAt() {
        return Optional.ofNullable(recordedAt);
    }

    /**
     * Returns the properties of the recorded host that the fake does not know, each with the substitute that the fake uses.
     *
     * @return one line each, also in the {@linkplain #journal() journal}; empty for a host without a recording
     */
    public List<String> replayRemarks() {
        return replayRemarks;
    }

    /**
     * Creates the directory with the files of the host, for programs of any language. The files are created at the first call and kept
     * current from then on. The directory is the root of a host, with {@code sys}, {@code dev} and {@code proc}, folders for tools under
     * {@code opt/aws/neuron}, and {@code env.sh}, which sets up a shell for this host.
     *
     * <p>{@link #close()} deletes everything in the directory, unless another directory has replaced it. Links from other programs are not
     * followed. If other programs have mounted a file system in it, the mount stays, and closing fails with a message that names the path
     * to unmount. Other files in it, such as a lease table under {@code tmp}, are not touched before. A directory that was created for the
     * host is moved away before it is emptied. Therefore no program can block the deletion. A given empty directory stays. Closing then
     * does not end while a program creates files in it without a pause.
     *
     * <p>{@code dev/neuronN} is a character node with the major of {@code proc/devices} if root creates the directory on Linux. It
     * cannot be opened, because no driver of the machine has that major. Otherwise, and if the system refuses nodes, it is an
     * empty file.
     *
     * <p>{@code proc/<pid>} of a process disappears only after its last counts and its freed memory are in the files.
     *
     * <p>A reader that opens and reads a file of the fake never gets empty or partial content, because files are renamed into place.
     * Content that another program writes is visible while it writes (a shell's {@code >} truncates first), until the fake clears it. The
     * fake passes the content to the driver, and the file shows the result shortly after. Of 500 writes on a trn2.48xlarge, half were done
     * within 0.2 ms and 99 of 100 within 4 to 12 ms (two shared CPUs, tmpfs, JDK 17 and 25). Without inotify watches, see
     * {@link #rescanning()}, it takes about 100 to 250 ms. A write clears only what was counted before it: counts that come after the write
     * are never lost, even if they come at once. A write may be lost if it coincides with an update of the same file.
     *
     * <p>A plain directory has limits that {@link #tree()} does not have. It cannot provide the size 4096 of every file, {@code EACCES} for
     * root, error numbers, delays and read counts of faults, a counter that is 0 for the next read after a write, and {@code POLLPRI}. A
     * descriptor that is kept open shows the value from the time of opening. Registers, such as {@code utilization_raw}, are polled once a
     * second.
     *
     * @return an absolute path
     * @throws UncheckedIOException when the directory cannot be created, for example because the given root is not empty or no file
     *     system has enough space; the message describes the solution
     * @throws IllegalStateException when the host is closed
     */
    public Path directory() {
        return made().files().root();
    }

    private HostDirectory made() {
        synchronized (directoryLock) {
            requireOpen();
            HostDirectory made = directory;
            if (made == null) {
                try {
                    made = makeDirectory();
                } catch (IOException e) {
                    // The message of most file system exceptions is the file alone.
                    String reason = e instanceof FileSystemException ? e.toString() : e.getMessage();
                    throw new UncheckedIOException("cannot make the directory of " + this + ": " + reason, e);
                }
                directory = made;
            }
            return made;
        }
    }

    // Call with directoryLock held.
    private HostDirectory makeDirectory() throws IOException {
        HostPlaces.requireSupported();
        // First, because a dead mount makes the requested folder appear in use, and it prevents the deletion of a
        // leftover folder.
        HostDirectory.unmountDead(driver.journal());
        if (wantedView == FakeView.DIRECTORY) {
            return makeDirectory(false, null);
        }
        try {
            return makeDirectory(true, null);
        } catch (FuseUnavailableException e) {
            if (viewRequired) {
                throw new IOException("there is no FUSE view: " + e.getMessage(), e);
            }
            driver.journal().add("no FUSE view, ordinary files are used instead: " + e.getMessage());
            return makeDirectory(false, e.getMessage());
        }
    }

    private HostDirectory makeDirectory(boolean mounted, @Nullable String fallback) throws IOException {
        HostPlaces.Making<HostDirectory> making = in -> makeDirectory(in, mounted, fallback);
        if (root != null) {
            return making.in(HostFolder.claim(root));
        }
        HostPlaces places = HostPlaces.ofThisMachine();
        return folder != null ? places.makeIn(folder, making) : places.make(tree.size(), driver.journal(), making);
    }

    private HostDirectory makeDirectory(HostFolder in, boolean mounted, @Nullable String fallback) throws IOException {
        Set<String> elsewhere = mounted ? Set.of(HostDirectory.MOUNTED) : Set.of();
        DirectoryView files = DirectoryView.open(tree, driver, in, elsewhere);
        try {
            profiler.install(files.root());
            runtime.install(files.root());
            systemTools.install(files.root());
            HostDirectory made =
                    mounted ? HostDirectory.mount(tree, driver, files) : new HostDirectory(files, null, fallback);
            // Last, because programs wait for the socket.
            control = ControlSocket.open(this::openSession, files.root());
            return made;
        } catch (IOException e) {
            abandon(files);
            throw new IOException("cannot install the profilers and the runtime library: " + e, e);
        } catch (UncheckedIOException e) {
            abandon(files);
            throw new IOException(e.getMessage(), e);
        } catch (FuseUnavailableException e) {
            abandon(files);
            throw e;
        }
    }

    private void abandon(DirectoryView files) {
        uninstall();
        files.close();
    }

    private void uninstall() {
        profiler.uninstall();
        runtime.uninstall();
        systemTools.uninstall();
    }

    /**
     * Returns the socket in {@link #directory()} through which programs control this host. Each connection represents a process, and
     * closing it kills the process. It accepts the lines that {@code help} lists. Each answer begins with {@code ok} or {@code error}.
     *
     * @return a path that may be a link to a shorter one; created together with the directory
     */
    public Path controlSocket() {
        return directory().resolve(ControlSocket.NAME);
    }

    /**
     * Opens a session for the lines that {@link #controlSocket()} accepts.
     *
     * @return a session with its own names for processes; its processes end with it
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CommandSession openSession() {
        return new CommandSession(new HostCommands(this));
    }

    /**
     * Returns the environment variables that a program needs to find this host. {@code env.sh} in {@link #directory()} exports the same
     * variables. Creates the directory and the socket if they do not exist.
     *
     * @return {@code NEURON_FAKE_ROOT}, and {@code PATH}, {@code LD_LIBRARY_PATH} and {@code PYTHONPATH} of this JVM with the host's
     *     folders before them
     */
    public Map<String, String> environment() {
        return HostTools.environment(directory(), System.getenv());
    }

    /**
     * Checks whether the host detects writes of other programs by polling, because the system had too few inotify watches. It then polls
     * all files of {@link #directory()} five times a second and notices writes late. The journal reports this too.
     *
     * @return false also if the files do not exist yet
     */
    public boolean rescanning() {
        synchronized (directoryLock) {
            return directory != null && directory.files().rescans();
        }
    }

    /**
     * Returns the type of the view in {@link #directory()}. Creates the files if they do not exist yet.
     *
     * @return {@link FakeView#DIRECTORY} also when the view requested by {@link Builder#view(FakeView)} is not available
     */
    public FakeView view() {
        return made().view();
    }

    /**
     * Returns the reason why {@link #view()} differs from the requested view. The journal contains it too.
     *
     * @return one line, such as that {@code /dev/fuse} does not exist; empty when the requested view is used
     */
    public Optional<String> viewFallback() {
        return Optional.ofNullable(made().fallback());
    }

    /**
     * Returns the profiler commands in {@link #directory()}.
     *
     * @return the object that scripts them
     */
    public FakeProfiler profiler() {
        return profiler;
    }

    /**
     * Returns the system tools in {@link #directory()}.
     *
     * @return the object that installs and removes them
     */
    public FakeSystemTools systemTools() {
        return systemTools;
    }

    SystemToolWords systemToolWords() {
        return new SystemToolWords(system);
    }

    /**
     * Returns the runtime library in {@link #directory()}.
     *
     * @return the object that scripts it
     */
    public FakeRuntime runtime() {
        return runtime;
    }

    /**
     * Returns the scripts of the tools and the runtime library that can still change something.
     *
     * @return the scripts
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<AddedScript> addedScripts() {
        List<AddedScript> added = new ArrayList<>(profiler.added());
        added.addAll(runtime.added());
        return List.copyOf(added);
    }

    HardwareFamily family() {
        return driver.instanceType().family();
    }

    /** Returns the second number of the driver version. For a recording, it is that of the imitated driver. */
    int driverMinor() {
        return Layout.named(layout()).rules(family().architecture()).release().minor();
    }

    /** Returns the second number of the SDK and its tools, which is 2 higher than that of the driver. */
    int sdkMinor() {
        return driverMinor() + 2;
    }

    /** Returns the number of physical cores in a logical core, unless a process sets another. */
    int logicalCoreSize() {
        return driver.instanceType().family().logicalCoreSize();
    }

    /**
     * Waits until every change made so far is in the files of {@link #directory()}. Returns at once if there are no files.
     *
     * @throws UncheckedIOException when it takes longer than a minute
     * @throws IllegalStateException when the thread is interrupted while it waits
     */
    public void awaitPublished() {
        HostDirectory view;
        synchronized (directoryLock) {
            view = directory;
        }
        if (view == null) {
            return;
        }
        try {
            view.awaitPublished();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the files of " + this, e);
        }
    }

    /**
     * Returns the path of a file in this layout. An invented layout has files at other paths than {@code driver-2.30}.
     *
     * @param file the path in {@code driver-2.30}, relative to the host's root
     * @return the path in this layout; the same path if the file was not moved or does not exist
     */
    public String place(String file) {
        return tree.place(file);
    }

    /**
     * Sets the result of the election of server numbers in an UltraServer or a reservation. By default this is the first server
     * of four. In an UltraServer, the dies of the second server of each pair are flipped: the runtime counts their cores in another
     * order.
     *
     * @param node the number of this server, from 0
     * @param nodes the number of servers: 2 or 4, in a reservation also 1
     * @throws IllegalArgumentException when the number is out of range, or the host is a standalone server
     * @throws IllegalStateException when the host replays a recording, because the recorded files contain the result
     */
    public void elect(int node, int nodes) {
        boolean pairs = driver.platform() == Platform.ULTRASERVER;
        if (!(nodes == 4 || nodes == 2 || nodes == 1 && !pairs) || node < 0 || node >= nodes) {
            throw new IllegalArgumentException("node " + node + " of " + nodes + " is not possible: " + instanceType()
                    + " is one of " + (pairs ? "2 or 4" : "1, 2 or 4") + " servers");
        }
        elect(new Election(Election.State.WON, node, nodes));
    }

    /**
     * Marks the election as failed: no server has a number, and no die is flipped.
     *
     * @throws IllegalArgumentException when the host is a standalone server
     * @throws IllegalStateException when the host replays a recording
     */
    public void failElection() {
        elect(new Election(Election.State.FAILED, 0, driver.election().nodes()));
    }

    /**
     * Marks the election as running: numbers are {@code busy} until {@link #elect} or {@link #failElection} is called.
     *
     * @throws IllegalArgumentException when the host is a standalone server
     * @throws IllegalStateException when the host replays a recording
     */
    public void runElection() {
        elect(new Election(Election.State.RUNNING, 0, driver.election().nodes()));
    }

    private void elect(Election election) {
        if (driver.platform() == Platform.STANDARD) {
            throw new IllegalArgumentException(this + " is a standalone server, which has no election");
        }
        if (recordedAt != null) {
            throw new IllegalStateException(this + " replays a recording, which contains the result of the election");
        }
        driver.elect(election);
        tree.electionChanged();
    }

    /**
     * Starts a fault on this host.
     *
     * @param fault the fault; its files are relative to the host's root
     * @return the fault, which lasts until it is closed
     * @throws IllegalArgumentException when it is a fault of a device or a core, or it names a file that the host does not have
     */
    public FakeFault fault(Fault fault) {
        return inject(fault, new FaultScope(this, tree, "", null, null));
    }

    /**
     * Unloads and loads the driver: counters start again, and the directories of the devices are new ones. Registers of the
     * hardware, which count ECC errors, are kept.
     *
     * @throws IllegalStateException when a process has a device open, because the kernel refuses to unload a module in use, or when
     *     the host replays a recording
     */
    public void reloadDriver() {
        if (recordedAt != null) {
            throw new IllegalStateException(this + " replays a recording, and its driver cannot be reloaded");
        }
        driver.reload();
    }

    /** Ends every fault of the host, its devices and its cores. Removed devices stay removed. */
    public void resetAll() {
        for (FakeFault fault : List.copyOf(faults)) {
            fault.close();
        }
    }

    /**
     * Returns the changes of the host, as lines with their time. When there are too many lines, the oldest are dropped.
     *
     * @return oldest first
     */
    public List<String> journal() {
        return driver.journal().entries().stream().map(JournalEntry::toString).toList();
    }

    /**
     * Returns the records of {@code dev/kmsg}.
     *
     * @return the last thousand records, oldest first
     */
    public List<String> kernelLog() {
        return driver.kernelLog().text().lines().toList();
    }

    void printError(String text) {
        driver.kernelLog().print(KernelLog.Level.ERROR, text);
    }

    Instant now() {
        return clock.instant();
    }

    FakeFault inject(Fault fault, FaultScope scope) {
        FakeFault injected = new FakeFault(fault, scope, faults::remove);
        faults.add(injected);
        return injected;
    }

    FaultScope scope(Device device) {
        return new FaultScope(this, tree, Layout.DEVICES + '/' + device, device, null);
    }

    FaultScope scope(Core core) {
        return new FaultScope(this, tree, Layout.DEVICES + '/' + core, core.device(), core);
    }

    /** Throws an {@link IllegalArgumentException} if this layout does not have the file. */
    void requireFile(Object deviceOrCore, String file) {
        try {
            tree.peek(tree.place(Layout.DEVICES + '/' + deviceOrCore + '/' + file));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    layout() + " on " + instanceType() + " has no " + deviceOrCore + '/' + file, e);
        }
    }

    /** Closes the host: ends all faults and processes and deletes the files. A second call does nothing. */
    @Override
    public void close() {
        HostDirectory view;
        ControlSocket socket;
        synchronized (directoryLock) {
            closed = true;
            view = directory;
            directory = null;
            socket = control;
            control = null;
        }
        timeline.pause();
        uninstall();
        try {
            if (socket != null) {
                socket.close();
            }
        } finally {
            try {
                if (view != null) {
                    view.files().close();
                }
            } finally {
                try {
                    resetAll();
                } finally {
                    driver.unload();
                }
            }
        }
    }

    // Call with directoryLock held.
    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Returns text such as {@code trn1.32xlarge@driver-2.30}. */
    @Override
    public String toString() {
        return instanceType() + '@' + layout();
    }

    /** A builder of a host. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private @Nullable Function<Object, List<String>> coreNames;
        private @Nullable String instance;
        private @Nullable String layout;
        private @Nullable List<Integer> container;
        private @Nullable Path recording;
        private @Nullable Path root;
        private @Nullable Path folder;
        private Clock clock = Clock.systemUTC();
        private FakeView view = FakeView.DIRECTORY;
        private boolean viewRequired;
        private FakeReader reader = FakeReader.ROOT;
        private Duration resetDuration = Duration.ofMillis(100);

        private Builder() {}

        /**
         * Sets the instance type.
         *
         * @param type one of {@link FakeNeuronHost#instanceTypes()}
         * @return this
         */
        public Builder instance(String type) {
            this.instance = type;
            return this;
        }

        /**
         * Sets the release of the driver. The default is the newest that supports the instance type.
         *
         * @param name one of {@link FakeNeuronHost#layouts(String)} or {@link FakeNeuronHost#inventedLayouts()}
         * @return this
         */
        public Builder layout(String name) {
            this.layout = name;
            return this;
        }

        /**
         * Sets the content of {@code dev} to that in a container that received some devices and numbers them from 0. {@code dev/neuron0} is
         * the node of the first device in the list, and so on, while {@code sys} shows the whole host. Only the number of a node identifies
         * its device; it is the number in the attribute {@code dev}. It is the number of a character node if root creates the directory on
         * Linux, and {@code FakeEntry.device()} in the in-process view. A recording keeps it.
         *
         * @param devices the indices of the devices, in the order of the container
         * @return this
         */
        public Builder container(int... devices) {
            this.container = Arrays.stream(devices).boxed().toList();
            return this;
        }

        /**
         * Sets the recording that the host replays. The host has its instance type, its driver and exactly its files. Counters and
         * registers, which the driver keeps, start at the recorded values and continue to change. All other files show the recorded
         * content, and a file that could not be read fails in the same way. The recorded changes are in {@link FakeNeuronHost#timeline()}.
         * By default the host behaves as the nearest known driver; a {@link #layout(String)} selects another one.
         *
         * <p>The nodes in {@code dev} and {@code proc/devices} are those of any fake host, regardless of the recorded attribute {@code dev}
         * of a device. An unknown instance type or driver is replaced by the nearest known one; the
         * {@linkplain FakeNeuronHost#journal() journal} reports that.
         *
         * @param file an archive written by {@code record}, optionally compressed with gzip
         * @return this
         */
        public Builder recording(Path file) {
            this.recording = file;
            return this;
        }

        /**
         * Sets the directory that becomes the host's root when the directory view is requested. By default, the root is a
         * directory in a private folder, see {@link #folder(Path)}.
         *
         * @param directory an absent or empty directory
         * @return this
         */
        public Builder root(Path directory) {
            this.root = directory;
            return this;
        }

        /**
         * Sets the parent folder of the private folder that contains the host's root. The private folder is created when the directory view
         * is requested.
         *
         * <p>The default is {@code /dev/shm}, which is in memory. It is used if it exists, is writable, is not mounted {@code noexec}, and
         * has free space of 8 MiB plus a page for each file of the host (a trn2.48xlarge takes 54 MiB). Otherwise, and when it is full in
         * spite of that check, the JVM's folder for temporary files is used, and the journal contains the reason. A chosen folder is never
         * replaced by another: if it cannot be used, the directory is not created.
         *
         * <p>A private folder is deleted with the host or with the JVM. If the JVM is killed, the next JVM of the same user that creates a
         * private folder in the same parent deletes it. If a {@link #root(Path)} is given, it is used instead.
         *
         * @param parent an existing directory from which programs can be executed
         * @return this
         */
        public Builder folder(Path parent) {
            this.folder = parent;
            return this;
        }

        /**
         * Sets the type of the view in {@link FakeNeuronHost#directory()}. The default is ordinary files. If {@link FakeView#FUSE} is not
         * available, ordinary files are used instead, and {@link FakeNeuronHost#viewFallback()} returns the reason.
         *
         * @param how the type of the view
         * @return this
         */
        public Builder view(FakeView how) {
            this.view = how;
            return this;
        }

        /**
         * Sets the type of the view and makes {@link FakeNeuronHost#directory()} fail if it is not available. Ordinary files are then not
         * used instead.
         *
         * @param how the type of the view
         * @return this
         */
        public Builder requireView(FakeView how) {
            this.view = how;
            this.viewRequired = true;
            return this;
        }

        /**
         * Sets the function that finds the physical cores of a core of another library.
         *
         * @param names returns the names of its physical cores
         * @return this
         * @hidden
         */
        @API(status = API.Status.INTERNAL, since = "0.1")
        public Builder coreNames(Function<Object, List<String>> names) {
            this.coreNames = names;
            return this;
        }

        /**
         * Sets the clock for power, resets and the journal.
         *
         * @param time any clock, including one that a test controls
         * @return this
         */
        public Builder clock(Clock time) {
            this.clock = time;
            return this;
        }

        /**
         * Sets the user that reads the in-process view. The default is root.
         *
         * @param reader root or an ordinary user
         * @return this
         */
        public Builder reader(FakeReader reader) {
            this.reader = reader;
            return this;
        }

        /**
         * Sets the duration of a device reset. The default is the driver's poll interval of 100 ms.
         *
         * @param duration the duration, by the host's clock
         * @return this
         */
        public Builder resetDuration(Duration duration) {
            this.resetDuration = duration;
            return this;
        }

        /**
         * Starts the host.
         *
         * @return a host; the caller must close it
         * @throws IllegalArgumentException when there is no such instance type or layout, or the driver of the layout does not support
         *     the instance type (the message lists those that exist), when a container is given a device that does not exist, or when an
         *     instance type or a container is combined with a recording
         * @throws UncheckedIOException when the recording cannot be read; the message is one line with the reason and its location
         */
        public FakeNeuronHost start() {
            return new FakeNeuronHost(this);
        }

        private @Nullable Archive archive() {
            if (recording == null) {
                return null;
            }
            if (container != null) {
                throw new IllegalArgumentException(
                        "the recording " + recording + " determines the nodes in dev: omit the container " + container);
            }
            if (instance != null) {
                throw new IllegalArgumentException("the recording " + recording
                        + " determines the instance type of the host: omit \"" + instance + '"');
            }
            try {
                return ArchiveReader.read(recording);
            } catch (NoSuchFileException e) {
                throw new UncheckedIOException(
                        "cannot replay " + recording + ": there is no such file; record it or correct the path", e);
            } catch (ArchiveException e) {
                throw new UncheckedIOException("cannot replay " + e.getMessage(), e);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot replay " + recording + ": " + e, e);
            }
        }

        private String instanceOrDefault() {
            return instance != null ? instance : DEFAULT_INSTANCE;
        }
    }
}
