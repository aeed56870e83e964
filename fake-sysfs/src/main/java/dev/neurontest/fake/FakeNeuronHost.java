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
import dev.neurontest.fake.internal.files.FakeEntry;
import dev.neurontest.fake.internal.fuse.FuseUnavailableException;
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
import java.util.Arrays;
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
 * A Neuron host without hardware: an instance type, a release of the driver, and what processes do to them.
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
 * <p>The state is in memory; {@link #tree()} shows it by method call. Safe for use by several threads.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeNeuronHost implements AutoCloseable {

    private static final String DEFAULT_INSTANCE = "trn1.2xlarge";
    private static final String DEFAULT_PROCESS = "neuron-app";

    private final Layout layout;
    private final Driver driver;
    private final Clock clock;
    private final InProcessTree tree;
    private final FakeTimeline timeline;
    private final @Nullable String recordedAt;
    private final List<String> replayRemarks;
    private final List<FakeDevice> devices;
    private final FakeProfiler profiler;
    private final FakeRuntime runtime;
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
        Archive archive = builder.archive();
        RecordedModel model = archive == null ? null : RecordedModel.of(archive, builder.layout);
        this.layout = model != null ? model.layout() : Layout.named(builder.layoutOrNewest());
        InstanceType type = model != null ? model.instanceType() : InstanceType.named(builder.instanceOrDefault());
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
        this.devices = driver.devices().stream()
                .map(device -> new FakeDevice(this, device))
                .toList();
        this.profiler = new FakeProfiler(this);
        this.runtime = new FakeRuntime(this);
    }

    private List<Integer> given(List<Integer> container) {
        for (int index : container) {
            if (index < 0 || index >= driver.devices().size()) {
                throw new IllegalArgumentException("a container cannot be given neuron" + index + ": " + instanceType()
                        + " has " + driver.devices().size() + " devices");
            }
        }
        if (Set.copyOf(container).size() < container.size()) {
            throw new IllegalArgumentException("a container is given a device once, not " + container);
        }
        return container;
    }

    /**
     * Describes a host to start.
     *
     * @return a builder for a trn1.2xlarge with the newest driver
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The instance types that a host can be.
     *
     * @return EC2 names, oldest family first
     */
    public static List<String> instanceTypes() {
        return InstanceType.all().stream().map(InstanceType::name).toList();
    }

    /**
     * The layouts that a host can have and that were found somewhere.
     *
     * @return names, the newest driver last
     */
    public static List<String> layouts() {
        return Layout.names();
    }

    /**
     * The layouts that a host can have and that no driver has: everything that {@code driver-2.30} has, at other places, under a
     * version higher than any that is known. A program that finds an attribute by its name and not by its place reads them in the
     * same way. They say nothing about any driver.
     *
     * @return names
     */
    public static List<String> inventedLayouts() {
        return Layout.invented();
    }

    /**
     * The hardware.
     *
     * @return an EC2 name
     */
    public String instanceType() {
        return driver.instanceType().name();
    }

    /**
     * The layout.
     *
     * @return such as {@code driver-2.30}
     */
    public String layout() {
        return layout.name();
    }

    /**
     * The release of the driver.
     *
     * @return what {@code sys/module/neuron/version} prints
     */
    public String driverVersion() {
        return driver.rules().version();
    }

    /**
     * Every device, whether it is there or gone.
     *
     * @return in order
     */
    public List<FakeDevice> devices() {
        return devices;
    }

    /**
     * One device.
     *
     * @param index from 0
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
     * One device, by name.
     *
     * @param name such as {@code neuron3}
     * @return the device
     * @throws IllegalArgumentException when the host has no such device
     */
    public FakeDevice device(String name) {
        return devices.stream()
                .filter(device -> device.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no device \"" + name + "\" on " + instanceType()
                        + ": they are neuron0 to neuron" + (devices.size() - 1)));
    }

    /**
     * One physical core, by name.
     *
     * @param name such as {@code neuron0/neuron_core1}
     * @return the core
     * @throws IllegalArgumentException when the host has no such core
     */
    public FakeCore core(String name) {
        return devices.stream()
                .flatMap(device -> device.cores().stream())
                .filter(core -> core.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no core \"" + name + "\" on " + instanceType()
                        + ": they are neuron0/neuron_core0 to neuron" + (devices.size() - 1) + "/neuron_core"
                        + (devices.get(0).cores().size() - 1)));
    }

    /**
     * Starts a process that takes cores.
     *
     * @param cores physical cores, at least one
     * @return the process
     * @throws IllegalStateException when another process holds one of them, and the message names the holder; when a device cannot
     *     be opened; or when the host is closed
     */
    public FakeProcess openProcess(FakeCore... cores) {
        return openProcess(DEFAULT_PROCESS, cores);
    }

    /**
     * Starts a process that takes cores. As the runtime does, it resets them: {@code reset_req_count} rises by one on each.
     * While one of the devices is in reset it waits.
     *
     * @param name what {@code proc/<pid>/comm} shows, cut to 15 characters
     * @param cores physical cores, at least one
     * @return the process
     * @throws IllegalStateException when another process holds one of them, and the message names the holder; when a device
     *     cannot be opened, because it is gone or its last reset failed; or when the host is closed
     */
    public FakeProcess openProcess(String name, FakeCore... cores) {
        return process(name).open(cores);
    }

    /**
     * Describes a process to start, with its own number or with cores as the runtime counts them.
     *
     * @param name what {@code proc/<pid>/comm} shows, cut to 15 characters
     * @return a builder, which ends in {@code open} or {@code init}
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
     * The processes that run.
     *
     * @return in the order in which they started
     */
    public List<FakeProcess> processes() {
        return driver.processes().stream()
                .map(started -> processes.get(started.pid()))
                .filter(process -> process != null && process.alive())
                .toList();
    }

    /**
     * Which processes wanted a core that another process had, with its holder: the evidence that two programs were led to one core. Of more
     * than ten thousand the oldest are dropped.
     *
     * @return one line each with its time, oldest first; empty when no core was ever wanted twice
     */
    public List<String> refusals() {
        return driver.refusals().entries().stream().map(JournalEntry::toString).toList();
    }

    /**
     * How often a process wanted a core that another process had.
     *
     * @return also those that {@link #refusals()} has dropped
     */
    public long refusalCount() {
        return driver.refusals().noted();
    }

    /**
     * The files by method call.
     *
     * @return the view of the host's {@link FakeReader}
     */
    public FakeTree tree() {
        return tree;
    }

    /**
     * What happened on the host that this one is a recording of.
     *
     * @return empty for a host that is none
     */
    public FakeTimeline timeline() {
        return timeline;
    }

    /**
     * When the recording was made that this host shows.
     *
     * @return as it says itself, such as {@code 2026-11-22T02:13:20.000Z}; empty for a host that is no recording
     */
    public Optional<String> recordedAt() {
        return Optional.ofNullable(recordedAt);
    }

    /**
     * What the fake does not know of the host that this one is a recording of, and what it takes it for instead.
     *
     * @return a line each, also in the {@linkplain #journal() journal}; empty for a host that is no recording
     */
    public List<String> replayRemarks() {
        return replayRemarks;
    }

    /**
     * The files as files, for programs of any language: made when they are first asked for, kept current from then on. The
     * directory is the root of a host, with {@code sys}, {@code dev} and {@code proc}, folders for tools under
     * {@code opt/aws/neuron}, and {@code env.sh}, which points a shell at it. {@link #close()} deletes everything in it, unless
     * something else has taken its place by then; links that others have put into it are not followed, and what others have mounted
     * in it stays: closing then fails with a line that says what to unmount. What others keep in it, such as a table of leases
     * under {@code tmp}, is not looked at until then. A directory that was made for the host is moved away
     * before it is emptied, so that no program can keep that from ending; one that was given empty stays, and a program that makes
     * files in it without a pause keeps this from ending.
     *
     * <p>{@code dev/neuronN} is a character node with the major of {@code proc/devices} where root makes the directory on Linux. It
     * cannot be opened, for no driver of the machine has that major. Otherwise, and where the system refuses nodes, it is an
     * empty file.
     *
     * <p>{@code proc/<pid>} of a process is gone only when what it counted and freed is in the files.
     *
     * <p>Of what the fake publishes, a reader that opens and reads never meets empty or torn content, because files are renamed
     * into place; what another program writes is visible as it writes it (a shell's {@code >} truncates first), until it is
     * cleared. It is handed to the driver, and the file shows the outcome shortly after: of 500 writes on a trn2.48xlarge half
     * were clear within 0.2 ms and 99 of 100 within 4 to 12 ms (two shared CPUs, tmpfs, JDK 17 and 25). Without inotify
     * watches, see {@link #rescanning()}, it takes about 100 to 250 ms. What is counted after a write is never lost with what was
     * counted before it, however soon it comes. A write that meets an update of the same file at the same instant may be lost.
     *
     * <p>What a plain directory cannot give, and {@link #tree()} can: the size 4096 of every file, {@code EACCES} for root,
     * error numbers and delays of faults and counting of reads, a counter that is 0 for the very next read after a write, and
     * {@code POLLPRI}. A descriptor that is kept open stays at the value of that time. Registers, such as
     * {@code utilization_raw}, are looked at once a second.
     *
     * @return an absolute path
     * @throws UncheckedIOException when the directory cannot be made, such as when the given root is not empty or no file
     *     system has room; the message says what to do
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
        // First: a dead mount makes the folder that was asked for look as if it were in use, and keeps one that was
        // left.
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
            driver.journal().add("no FUSE view, ordinary files stand in: " + e.getMessage());
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
            HostDirectory made =
                    mounted ? HostDirectory.mount(tree, driver, files) : new HostDirectory(files, null, fallback);
            // Last, for programs wait for it.
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
        profiler.uninstall();
        runtime.uninstall();
        files.close();
    }

    /**
     * The socket in {@link #directory()} through which programs drive this host: a connection is a process, and losing it is
     * a kill. It takes the lines of {@code help}, and answers each with one that begins with {@code ok} or {@code error}.
     *
     * @return a path that may be a link to a shorter one; made together with the directory
     */
    public Path controlSocket() {
        return directory().resolve(ControlSocket.NAME);
    }

    /**
     * Begins to listen to one speaker of the lines that {@link #controlSocket()} takes.
     *
     * @return a session whose processes have names of its own and die with it
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CommandSession openSession() {
        return new CommandSession(new HostCommands(this));
    }

    /**
     * What a program needs in its environment to find this host: what {@code env.sh} in {@link #directory()} exports. Made
     * together with the directory and the socket.
     *
     * @return {@code NEURON_FAKE_ROOT}, and {@code PATH} and {@code LD_LIBRARY_PATH} of this JVM with the host's folders for
     *     tools before them
     */
    public Map<String, String> environment() {
        return HostTools.environment(directory(), System.getenv());
    }

    /**
     * Whether writes of other programs to the files of {@link #directory()} are noticed late, by looking at all files five
     * times a second, because the system had too few inotify watches; the journal says so too.
     *
     * @return false also where there are no files
     */
    public boolean rescanning() {
        synchronized (directoryLock) {
            return directory != null && directory.files().rescans();
        }
    }

    /**
     * How the files of {@link #directory()} are made. Makes them when they are not there yet.
     *
     * @return {@link FakeView#DIRECTORY} also where {@link Builder#view(FakeView)} asked for more than can be
     */
    public FakeView view() {
        return made().view();
    }

    /**
     * Why {@link #view()} is not what was asked for; the journal says so too.
     *
     * @return one line, such as that {@code /dev/fuse} does not exist; empty when it is what was asked for
     */
    public Optional<String> viewFallback() {
        return Optional.ofNullable(made().fallback());
    }

    /**
     * The profiler commands in {@link #directory()}.
     *
     * @return what scripts them
     */
    public FakeProfiler profiler() {
        return profiler;
    }

    /**
     * The runtime library in {@link #directory()}.
     *
     * @return what scripts it
     */
    public FakeRuntime runtime() {
        return runtime;
    }

    HardwareFamily family() {
        return driver.instanceType().family();
    }

    /** The second number of the version of the driver; of a recorded one, of the driver that it behaves as. */
    int driverMinor() {
        return Layout.named(layout()).rules(1).release().minor();
    }

    /** How many physical cores one logical core is unless a process asks otherwise. */
    int logicalCoreSize() {
        return driver.instanceType().family().logicalCoreSize();
    }

    /**
     * Waits until every change made so far is in the files of {@link #directory()}; returns at once if there are none.
     *
     * @throws UncheckedIOException when that takes longer than a minute
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
     * Where a file stands: an invented layout has it elsewhere than {@code driver-2.30}.
     *
     * @param file its path in {@code driver-2.30}, relative to the host's root
     * @return the path in this layout; the same where nothing was moved, and where there is no such file
     */
    public String place(String file) {
        return tree.place(file);
    }

    /**
     * Lets the servers of an UltraServer, or of a reservation, have agreed on their numbers. Without it this is the first server
     * of four. The dies of the second of each pair in an UltraServer are flipped: there the runtime counts the cores in another
     * order.
     *
     * @param node the number of this server, from 0
     * @param nodes how many they are: 2 or 4, in a reservation also 1
     * @throws IllegalArgumentException when there is no such number, or the host is a server by itself
     * @throws IllegalStateException when the host shows a recording, whose files say what was elected
     */
    public void elect(int node, int nodes) {
        boolean pairs = driver.platform() == Platform.ULTRASERVER;
        if (!(nodes == 4 || nodes == 2 || nodes == 1 && !pairs) || node < 0 || node >= nodes) {
            throw new IllegalArgumentException("no node " + node + " of " + nodes + ": " + instanceType()
                    + " is one of " + (pairs ? "2 or 4" : "1, 2 or 4"));
        }
        elect(new Election(Election.State.WON, node, nodes));
    }

    /**
     * Lets the election have failed: no server has a number, and no die is flipped.
     *
     * @throws IllegalArgumentException when the host is a server by itself
     * @throws IllegalStateException when the host shows a recording
     */
    public void failElection() {
        elect(new Election(Election.State.FAILED, 0, driver.election().nodes()));
    }

    /**
     * Lets the election go on: numbers are {@code busy} until {@link #elect} or {@link #failElection}.
     *
     * @throws IllegalArgumentException when the host is a server by itself
     * @throws IllegalStateException when the host shows a recording
     */
    public void runElection() {
        elect(new Election(Election.State.RUNNING, 0, driver.election().nodes()));
    }

    private void elect(Election election) {
        if (driver.platform() == Platform.STANDARD) {
            throw new IllegalArgumentException(this + " is a server by itself: there is nothing to elect");
        }
        if (recordedAt != null) {
            throw new IllegalStateException(this + " shows a recording, which says what was elected");
        }
        driver.elect(election);
        tree.electionChanged();
    }

    /**
     * Lets something go wrong.
     *
     * @param fault what; its files are relative to the host's root
     * @return the fault, which lasts until it is closed
     * @throws IllegalArgumentException when the fault is one of a device or a core, or names what the host does not have
     */
    public FakeFault fault(Fault fault) {
        return inject(fault, new FaultScope(this, tree, "", null, null));
    }

    /**
     * Loads the driver anew: counters begin again, and the directories of the devices are others than before. Registers of the
     * hardware, which count ECC errors, are kept.
     *
     * @throws IllegalStateException when a process has a device open, as the kernel refuses to unload a module in use, or when
     *     the host shows a recording
     */
    public void reloadDriver() {
        if (recordedAt != null) {
            throw new IllegalStateException(this + " shows a recording, whose driver cannot be loaded anew");
        }
        driver.reload();
    }

    /** Ends every fault of the host, its devices and its cores. A device that was removed stays removed. */
    public void resetAll() {
        List.copyOf(faults).forEach(FakeFault::close);
    }

    /**
     * What has changed, as lines with their time. Of many changes the oldest are dropped.
     *
     * @return oldest first
     */
    public List<String> journal() {
        return driver.journal().entries().stream().map(JournalEntry::toString).toList();
    }

    /**
     * Returns the records of {@code dev/kmsg}.
     *
     * @return the last thousand, oldest first
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

    /** Refuses what this layout does not show. */
    void requireFile(Object deviceOrCore, String file) {
        try {
            tree.peek(tree.place(Layout.DEVICES + '/' + deviceOrCore + '/' + file));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    layout() + " on " + instanceType() + " has no " + deviceOrCore + '/' + file, e);
        }
    }

    /** Ends everything: faults, processes, files. A second call does nothing. */
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
        profiler.uninstall();
        runtime.uninstall();
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

    /** Such as {@code trn1.32xlarge@driver-2.30}. */
    @Override
    public String toString() {
        return instanceType() + '@' + layout();
    }

    /** Describes a host to start. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

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
         * Sets the hardware.
         *
         * @param type one of {@link FakeNeuronHost#instanceTypes()}
         * @return this
         */
        public Builder instance(String type) {
            this.instance = type;
            return this;
        }

        /**
         * Sets the release of the driver. Without it, the newest.
         *
         * @param name one of {@link FakeNeuronHost#layouts()} or {@link FakeNeuronHost#inventedLayouts()}
         * @return this
         */
        public Builder layout(String name) {
            this.layout = name;
            return this;
        }

        /**
         * Lets {@code dev} be that of a container which was given some devices and numbers them anew: {@code dev/neuron0} is the node
         * of the first one, and so on, while {@code sys} shows the whole host. Which device a node leads to is told by its number
         * alone, the same as in the attribute {@code dev}: that of a character node where root makes the directory on Linux, and
         * {@link FakeEntry#device()} in the in-process view. A recording keeps it.
         *
         * @param devices their indices, in the order of the container
         * @return this
         */
        public Builder container(int... devices) {
            this.container = Arrays.stream(devices).boxed().toList();
            return this;
        }

        /**
         * Lets the host be one that was recorded: its instance type, its driver, exactly its files. What the driver keeps,
         * counters and registers, starts at the recorded values and lives on; all else shows what was recorded, and what could
         * not be read fails in the same way. What happened afterwards is in {@link FakeNeuronHost#timeline()}. A
         * {@link #layout(String)} given as well says as which driver the host behaves, if not as the nearest.
         *
         * <p>The nodes in {@code dev} and {@code proc/devices} are those of any fake host, whatever number the attribute {@code dev}
         * of a recorded device shows. An instance type or driver that the fake does not know is taken for the nearest one; the
         * {@linkplain FakeNeuronHost#journal() journal} says so.
         *
         * @param file an archive as {@code record} writes it, also packed by gzip
         * @return this
         */
        public Builder recording(Path file) {
            this.recording = file;
            return this;
        }

        /**
         * Sets the directory that becomes the host's root when the directory view is asked for. Without it, the root is a
         * directory in a private folder, see {@link #folder(Path)}.
         *
         * @param directory absent or empty
         * @return this
         */
        public Builder root(Path directory) {
            this.root = directory;
            return this;
        }

        /**
         * Sets the folder in which a private folder with the host's root is made when the directory view is asked for. Without
         * it, that is {@code /dev/shm}, which is in memory, where it is there, can be written to, is not mounted {@code noexec},
         * and has 8 MiB more than a page for each file of the host (a trn2.48xlarge takes 54 MiB); otherwise, and when it
         * turns out to be full, the JVM's folder for temporary files, and the journal says why. A chosen folder is used or
         * refused, never replaced. A private folder goes with the host or with the JVM; when the JVM is killed, the next one of
         * the same user that makes one beside it removes it. Where a {@link #root(Path)} is given, that is used instead.
         *
         * @param parent an existing directory from which programs can be run
         * @return this
         */
        public Builder folder(Path parent) {
            this.folder = parent;
            return this;
        }

        /**
         * Sets how the files of {@link FakeNeuronHost#directory()} are made. Without it, as ordinary files. Where there can be
         * no {@link FakeView#FUSE}, ordinary files stand in, and {@link FakeNeuronHost#viewFallback()} says why.
         *
         * @param how made
         * @return this
         */
        public Builder view(FakeView how) {
            this.view = how;
            return this;
        }

        /**
         * Makes {@link FakeNeuronHost#directory()} fail where there can be no such view, instead of letting ordinary files stand
         * in.
         *
         * @param how made
         * @return this
         */
        public Builder requireView(FakeView how) {
            this.view = how;
            this.viewRequired = true;
            return this;
        }

        /**
         * Sets the time for power, resets and the journal.
         *
         * @param time any clock, also one that a test moves
         * @return this
         */
        public Builder clock(Clock time) {
            this.clock = time;
            return this;
        }

        /**
         * Sets who reads the in-process view. Without it, root.
         *
         * @param who root or an ordinary user
         * @return this
         */
        public Builder reader(FakeReader who) {
            this.reader = who;
            return this;
        }

        /**
         * Sets how long a device is in reset. Without it, the driver's poll interval of 100 ms.
         *
         * @param duration by the host's clock
         * @return this
         */
        public Builder resetDuration(Duration duration) {
            this.resetDuration = duration;
            return this;
        }

        /**
         * Starts the host.
         *
         * @return a host, to be closed
         * @throws IllegalArgumentException when there is no such instance type or layout; the message lists those that are;
         *     when there is no device that a container is given; or when there are an instance type or a container and a
         *     recording
         * @throws UncheckedIOException when the recording cannot be read; the message has one line, which says what is wrong
         *     where
         */
        public FakeNeuronHost start() {
            return new FakeNeuronHost(this);
        }

        private @Nullable Archive archive() {
            if (recording == null) {
                return null;
            }
            if (container != null) {
                throw new IllegalArgumentException("the recording " + recording
                        + " says which nodes there are in dev: leave the container " + container + " out");
            }
            if (instance != null) {
                throw new IllegalArgumentException("the recording " + recording
                        + " says which instance type the host is: leave \"" + instance + "\" out");
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

        private String layoutOrNewest() {
            return layout != null ? layout : Layout.names().get(Layout.names().size() - 1);
        }
    }
}
