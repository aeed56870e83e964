package dev.neurontest.fake.internal.driver;

import dev.neurontest.fake.internal.driver.instance.DriverRules;
import dev.neurontest.fake.internal.driver.instance.Election;
import dev.neurontest.fake.internal.driver.instance.InstanceType;
import dev.neurontest.fake.internal.driver.instance.Platform;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The loaded kernel module: its devices, the processes that have them open, and the only notification flag. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Driver {

    private static final Pattern NOTIFY_DELAY = Pattern.compile("([+-]?)([0-9]+)\n?");
    private static final String KERNEL_LOG = "dev/kmsg";
    private static final long FIRST_PID = 1001;
    private static final Duration RESET_POLL = Duration.ofMillis(5);
    private static final Duration END_LOOK = Duration.ofMillis(50);

    private final InstanceType instanceType;
    private final DriverRules rules;
    private final Clock clock;
    private final Duration resetDuration;
    private volatile Instant loaded;
    private final Journal journal;
    private final Journal refusals;
    private final KernelLog kernelLog;
    private final List<Device> devices;
    private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong allocations = new AtomicLong();
    // Guarded by this map's monitor.
    private final Map<Long, RuntimeProcess> processes = new LinkedHashMap<>();
    private long nextPid = FIRST_PID;
    private volatile Election election = Election.USUAL;
    private volatile boolean notifying;
    private volatile boolean unloaded;
    private volatile int reloads;

    /**
     * Creates a loaded driver.
     *
     * @param clock the clock for power, resets and the journal
     * @param resetDuration the duration of a device reset
     */
    public Driver(InstanceType instanceType, DriverRules rules, Clock clock, Duration resetDuration) {
        this.instanceType = instanceType;
        this.rules = rules;
        this.clock = clock;
        this.resetDuration = resetDuration;
        this.loaded = clock.instant();
        this.journal = new Journal(clock);
        this.refusals = new Journal(clock);
        this.kernelLog = new KernelLog(clock, () -> fileChanged(KERNEL_LOG));
        List<Device> ofType = new ArrayList<>();
        for (int index = 0; index < instanceType.devices(); index++) {
            ofType.add(new Device(this, index, instanceType.family()));
        }
        this.devices = List.copyOf(ofType);
        journal.add("driver " + rules.version() + " loaded on " + instanceType.name());
        printStart();
    }

    /** Prints the version. The commit number is invented. */
    private void printStart() {
        kernelLog.print(
                KernelLog.Level.INFO, "Neuron Driver Started with Version:" + rules.version() + "-" + "0".repeat(40));
    }

    public InstanceType instanceType() {
        return instanceType;
    }

    public DriverRules rules() {
        return rules;
    }

    /** Returns the platform of the host, as this release detects it. */
    public Platform platform() {
        return instanceType.platform(rules.release());
    }

    /** Returns the current state of the election of server numbers in an UltraServer. It has no meaning on a standard platform. */
    public Election election() {
        return election;
    }

    /** Sets the state of the election. */
    public void elect(Election newElection) {
        election = newElection;
        journal.add("election " + newElection.state().name().toLowerCase(Locale.ROOT)
                + (newElection.state() == Election.State.WON
                        ? ": node " + newElection.node() + " of " + newElection.nodes()
                        : ""));
    }

    /** Returns whether positions of cores are counted from the other die ({@code ndhal_die_flipped}). No runtime sets a mode here. */
    boolean diesFlipped() {
        Election now = election;
        return platform() == Platform.ULTRASERVER && now.state() == Election.State.WON && now.ofPair() == 1;
    }

    /** Returns all devices in order of their index, including removed ones. */
    public List<Device> devices() {
        return devices;
    }

    /** Returns the journal of all changes of the host. */
    public Journal journal() {
        return journal;
    }

    /** Returns the kernel log, with the messages of the driver and of programs. */
    public KernelLog kernelLog() {
        return kernelLog;
    }

    /**
     * Adds a listener for every change from now on.
     *
     * @param listener called on the thread that makes the change
     */
    public void addListener(ChangeListener listener) {
        listeners.add(listener);
    }

    public void removeListener(ChangeListener listener) {
        listeners.remove(listener);
    }

    Clock clock() {
        return clock;
    }

    Duration resetDuration() {
        return resetDuration;
    }

    Instant loaded() {
        return loaded;
    }

    long nextAllocation() {
        return allocations.incrementAndGet();
    }

    // ---- notification

    /**
     * Returns whether changes are notified. There is one flag for the whole module.
     *
     * @return false after a load of the driver
     */
    public boolean notifying() {
        return notifying;
    }

    /**
     * Applies a write to any {@code notify_delay}: {@code 0} switches notifications on, {@code -1} off. All other content is
     * ignored without an error.
     *
     * @param content a decimal number, optionally with a sign and one newline
     */
    public void writeNotifyDelay(byte[] content) {
        String text = new String(content, StandardCharsets.ISO_8859_1);
        Optional<Boolean> enabled = parseNotifying(text);
        if (enabled.isEmpty()) {
            journal.add("write of \"" + text.strip() + "\" to notify_delay ignored");
            return;
        }
        notifying = enabled.get();
        journal.add("notifications are " + (notifying ? "on" : "off"));
        devices.forEach(this::registersChanged);
    }

    /** Wakes the pollers of a file, if notifications are on. */
    void notifyIfOn(Counter counter, Field field) {
        if (notifying) {
            notifyAlways(new NotifiedFile.OfCounter(counter, field));
        }
    }

    void notifyIfOn(NotifiedFile file) {
        if (notifying) {
            notifyAlways(file);
        }
    }

    void notifyAlways(NotifiedFile file) {
        listeners.forEach(listener -> listener.notified(file));
    }

    void removed(Device device) {
        listeners.forEach(listener -> listener.removed(device));
    }

    private static Optional<Boolean> parseNotifying(String text) {
        Matcher number = NOTIFY_DELAY.matcher(text);
        if (!number.matches()) {
            return Optional.empty();
        }
        String digits = number.group(2).replaceFirst("^0+(?=.)", "");
        if (digits.equals("0")) {
            return Optional.of(true);
        }
        return number.group(1).equals("-") && digits.equals("1") ? Optional.of(false) : Optional.empty();
    }

    // ---- processes

    /**
     * Starts a process that takes cores. Waits while one of the devices is in reset, as an open does.
     *
     * @param cores physical cores, at least one
     * @throws IllegalStateException when another process holds one of the cores, a device cannot be opened, or the driver is
     *     unloaded
     * @throws IllegalArgumentException when there is no core, or a core is listed twice
     */
    public RuntimeProcess open(String name, List<Core> cores) {
        return open(name, OptionalLong.empty(), cores);
    }

    /**
     * Starts a process that takes cores, with a given process id.
     *
     * @param pid the process id; if empty, the process gets the next free one
     * @param cores physical cores, at least one
     * @throws IllegalStateException in the same cases as {@link #open(String, List)}, and when a process with this number runs
     * @throws IllegalArgumentException when there is no core, or a core is listed twice
     */
    public RuntimeProcess open(String name, OptionalLong pid, List<Core> cores) {
        return open(name, pid, cores, instanceType.family().logicalCoreSize());
    }

    private RuntimeProcess open(String name, OptionalLong pid, List<Core> cores, int logicalCoreSize) {
        if (cores.isEmpty() || new HashSet<>(cores).size() < cores.size()) {
            throw new IllegalArgumentException("a process requires at least one core, and each only once: " + cores);
        }
        awaitEnds();
        List<Device> usedDevices = cores.stream().map(Core::device).distinct().toList();
        Optional<RuntimeProcess> started;
        do {
            awaitResets(usedDevices);
            started = start(name, pid, cores, logicalCoreSize);
        } while (started.isEmpty());
        listeners.forEach(ChangeListener::processOpened);
        return started.get();
    }

    /**
     * Starts a process as {@code nrt_init} of the runtime does: with exactly the given logical cores, or not at all.
     *
     * @param pid the process id; if empty, the process gets the next free one
     * @param visibleCores {@code NEURON_RT_VISIBLE_CORES}: one ascending run of logical cores such as {@code 3-5,6},
     *     {@code all}, or {@code any:N} for the first N adjacent free cores
     * @param logicalCoreSize {@code NEURON_LOGICAL_NC_CONFIG}, 1 or 2; if empty, the default of the family. If that default is
     *     1, the size is always 1.
     * @return the process; its cores are in the order in which it counts them
     * @throws IllegalStateException in the same cases as {@link #open(String, OptionalLong, List)}; for a taken core, the message is that
     *     of the runtime
     * @throws IllegalArgumentException when the cores are not such a run, the host does not have them, or the size is neither
     */
    public RuntimeProcess init(String name, OptionalLong pid, String visibleCores, OptionalInt logicalCoreSize) {
        LogicalCores logical = new LogicalCores(instanceType, devices, logicalCoreSize);
        awaitEnds();
        VisibleCores visible = logical.visible(visibleCores, this::isFree);
        List<Core> cores = logical.physical(visible);
        try {
            return open(name, pid, cores, logical.size());
        } catch (CoreTakenException taken) {
            int free = 0;
            for (int i = 0; i < cores.size(); i += logical.size()) {
                free += cores.subList(i, i + logical.size()).stream().anyMatch(taken::isTaken) ? 0 : 1;
            }
            throw new IllegalStateException(
                    "NeuronCore(s) not available - Requested:" + visible.count() + " Available:" + free + ": "
                            + taken.getMessage(),
                    taken);
        }
    }

    /** Starts a process, or returns empty if a reset came first. */
    private Optional<RuntimeProcess> start(String name, OptionalLong pid, List<Core> cores, int logicalCoreSize) {
        synchronized (processes) {
            requireLoaded();
            Optional<ProcessHandle> program = pid.isPresent() ? ProcessHandle.of(pid.getAsLong()) : Optional.empty();
            RuntimeProcess process =
                    new RuntimeProcess(this, pid.orElseGet(this::freePid), program, name, cores, logicalCoreSize);
            requireFree(process);
            if (!process.open()) {
                return Optional.empty();
            }
            processes.put(process.pid(), process);
            journal.add(process + " takes " + process.cores());
            return Optional.of(process);
        }
    }

    private long freePid() {
        while (processes.containsKey(nextPid)) {
            nextPid++;
        }
        return nextPid++;
    }

    private void requireLoaded() {
        if (unloaded) {
            throw new IllegalStateException("the driver is unloaded: no device can be opened");
        }
    }

    /**
     * Unloads and loads the module. Counters start again, and the directories of the devices are new ones. The registers
     * of the hardware, which count ECC errors, are kept.
     *
     * @throws IllegalStateException when a process has a device open, because the kernel refuses to unload a module in use
     */
    public void reload() {
        synchronized (processes) {
            requireLoaded();
            if (!processes.isEmpty()) {
                throw new IllegalStateException(
                        "the module is in use by " + processes.values() + " and cannot be unloaded");
            }
            loaded = clock.instant();
            notifying = false;
            reloads++;
            devices.forEach(Device::reload);
            journal.add("driver " + rules.version() + " reloaded");
            printStart();
        }
    }

    /**
     * Returns the number of reloads of the module. Each reload creates a new directory.
     *
     * @return 0 for a driver that was loaded once
     */
    public int reloads() {
        return reloads;
    }

    /** Ends every process. No process can start from now on. */
    public void unload() {
        List<RuntimeProcess> last;
        synchronized (processes) {
            unloaded = true;
            last = processes();
        }
        for (RuntimeProcess process : last) {
            process.end(true);
        }
    }

    private void awaitResets(List<Device> usedDevices) {
        while (usedDevices.stream().anyMatch(Device::resetting)) {
            requireLoaded();
            try {
                Thread.sleep(RESET_POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while " + usedDevices + " was in reset", e);
            }
        }
    }

    /**
     * Waits until ended programs have released their devices. The kernel closes the devices of a program before its end is visible. In the
     * fake, the end may still be in progress.
     */
    private void awaitEnds() {
        synchronized (processes) {
            while (processes.values().stream().anyMatch(RuntimeProcess::ending)) {
                try {
                    TimeUnit.MILLISECONDS.timedWait(processes, END_LOOK.toMillis());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted while a program ended", e);
                }
            }
        }
    }

    private void requireFree(RuntimeProcess asking) {
        RuntimeProcess namesake = processes.get(asking.pid());
        if (namesake != null) {
            throw new IllegalStateException("pid " + asking.pid() + " is in use: " + namesake
                    + " has not ended, and a process can start the runtime only once");
        }
        Map<Core, RuntimeProcess> holders = new LinkedHashMap<>();
        asking.cores().forEach(core -> holder(core).ifPresent(holder -> holders.put(core, holder)));
        if (!holders.isEmpty()) {
            CoreTakenException taken = new CoreTakenException(holders);
            String refusal = asking + " is refused " + asking.cores() + ": " + taken.getMessage();
            refusals.add(refusal);
            journal.add(refusal);
            throw taken;
        }
    }

    private boolean isFree(Core core) {
        synchronized (processes) {
            return holder(core).isEmpty();
        }
    }

    private Optional<RuntimeProcess> holder(Core core) {
        return processes.values().stream()
                .filter(process -> process.cores().contains(core))
                .findFirst();
    }

    /** Returns a journal of refused requests for cores that another process holds. */
    public Journal refusals() {
        return refusals;
    }

    /** Returns the running processes, in the order in which they started. */
    public List<RuntimeProcess> processes() {
        synchronized (processes) {
            return List.copyOf(processes.values());
        }
    }

    /**
     * Returns the number of references to the module, as the kernel counts it. Each device that a process has open adds two: one to the
     * device and one to its functions ({@code chrdev_open} of {@code fs/char_dev.c}). They are held until the end of the close.
     *
     * @return 0 when no process has a device open
     */
    public int references() {
        synchronized (processes) {
            int opened = 0;
            for (RuntimeProcess process : processes.values()) {
                opened += process.devices().size();
            }
            return 2 * opened;
        }
    }

    void ended(RuntimeProcess process) {
        synchronized (processes) {
            processes.remove(process.pid());
            processes.notifyAll();
        }
        listeners.forEach(ChangeListener::processEnded);
    }

    // ---- listeners

    void counterChanging(Counter counter) {
        listeners.forEach(listener -> listener.counterChanging(counter));
    }

    void counterChanged(Counter counter, String how) {
        journal.add(new CounterChange(counter, how, counter.read(Field.TOTAL), counter.read(Field.PRESENT)));
        listeners.forEach(listener -> listener.counterChanged(counter));
    }

    /**
     * Notifies listeners that a file shows other content, although the state has not changed.
     *
     * @param path relative to the root of the host, without links
     */
    public void fileChanged(String path) {
        for (ChangeListener listener : listeners) {
            listener.fileChanged(path);
        }
    }

    void registersChanged(Device device) {
        listeners.forEach(listener -> listener.registersChanged(device));
    }

    void devicesChanged() {
        listeners.forEach(ChangeListener::devicesChanged);
    }
}
