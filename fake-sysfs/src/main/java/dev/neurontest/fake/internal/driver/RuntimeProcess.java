package dev.neurontest.fake.internal.driver;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A process that has devices open and owns cores, with its datastore entry and memory on each device. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RuntimeProcess {

    private static final Duration LONGEST_END = Duration.ofSeconds(5);
    private static final long ALIVE = Long.MIN_VALUE;

    private final Driver driver;
    private final long pid;
    private final Optional<ProcessHandle> program;
    private final AtomicLong programGoneSince = new AtomicLong(ALIVE);
    private final String name;
    private final List<Core> cores;
    private final int logicalCoreSize;
    // Guarded by this. If the lock of a device is taken too, this lock comes first.
    private final Map<Device, Datastore> datastores = new LinkedHashMap<>();
    private final Map<Long, Allocation> memory = new LinkedHashMap<>();
    private final ProcessActivity activity = new ProcessActivity();
    private final Map<Long, LoadedModel> models = new ConcurrentSkipListMap<>();
    private boolean alive = true;

    /**
     * Creates a process that has not opened its devices yet.
     *
     * @param program the program with this number on this machine, empty if the number is made up
     */
    RuntimeProcess(
            Driver driver,
            long pid,
            Optional<ProcessHandle> program,
            String name,
            List<Core> cores,
            int logicalCoreSize) {
        this.driver = driver;
        this.pid = pid;
        this.program = program;
        this.name = name;
        this.cores = List.copyOf(cores);
        this.logicalCoreSize = logicalCoreSize;
    }

    /** Returns the process id under {@code proc/}. */
    public long pid() {
        return pid;
    }

    public String name() {
        return name;
    }

    /**
     * Returns the command line of the program.
     *
     * @return the command with its arguments; the name of the process if there is no such program on this machine
     */
    public String commandLine() {
        return program.flatMap(handle -> handle.info().commandLine()).orElse(name);
    }

    /** Returns whether a program of this machine has the number of the process. */
    public boolean isProgram() {
        return program.isPresent();
    }

    /** Returns the executions of the process, also after its end. */
    public ProcessActivity activity() {
        return activity;
    }

    /** Returns the memory that the process holds now. */
    public synchronized List<Allocation> memory() {
        return List.copyOf(memory.values());
    }

    /** Returns the models that the process has loaded, by their number. */
    public Map<Long, LoadedModel> models() {
        return models;
    }

    /**
     * Returns the cores that no other process can take while this process runs.
     *
     * @return physical cores in the order in which they were taken
     */
    public List<Core> cores() {
        return cores;
    }

    /** Returns the number of physical cores in a logical core of the process. */
    public int logicalCoreSize() {
        return logicalCoreSize;
    }

    /**
     * Returns the devices that the process has open.
     *
     * @return each device once, in the order of the cores
     */
    public List<Device> devices() {
        return cores.stream().map(Core::device).distinct().toList();
    }

    /**
     * Returns whether the process still runs.
     *
     * @return false after {@link #end(boolean)}
     */
    public synchronized boolean alive() {
        return alive;
    }

    /**
     * Returns whether the program of this process ended less than 5 seconds ago, so its end may not be noticed yet. After that time, a
     * child of the program is assumed to hold the cores.
     */
    boolean ending() {
        if (program.isEmpty() || program.get().isAlive()) {
            return false;
        }
        long now = System.nanoTime();
        return now - programGoneSince.updateAndGet(since -> since == ALIVE ? now : since) < LONGEST_END.toNanos();
    }

    /**
     * Opens all devices, or none.
     *
     * @return false if one of the devices is in reset
     */
    synchronized boolean open() {
        boolean complete = false;
        try {
            for (Device device : devices()) {
                Optional<Datastore> datastore = device.open(this);
                if (datastore.isEmpty()) {
                    return false;
                }
                datastores.put(device, datastore.get());
            }
            complete = true;
        } finally {
            if (!complete) {
                datastores.forEach((device, datastore) -> device.close(this, datastore, List.of()));
                datastores.clear();
            }
        }
        devices()
                .forEach(device -> device.resetCores(
                        cores.stream().filter(core -> core.device() == device).toList()));
        return true;
    }

    /**
     * Counts in the datastore of the process.
     *
     * @param core one of the cores of the process
     * @param counter the counter; for {@link ExecutionCounter#FLOP_COUNT} in multiply-accumulates
     * @throws IllegalStateException when the process has ended or the device is removed
     */
    public synchronized void count(Core core, ExecutionCounter counter, long by) {
        synchronized (core.device()) {
            Datastore datastore = datastoreOf(core);
            if (by == 0) {
                return;
            }
            activity.count(core, counter, by);
            if (driver.rules().liveDatastore()) {
                Counter shown = core.counter(counter);
                shown.changing();
                datastore.add(core, counter, by);
                shown.changed("up");
            } else {
                datastore.add(core, counter, by);
                driver.journal()
                        .add(this + " counts " + core + " " + counter.counterName() + " +" + by + " in its datastore");
            }
        }
    }

    /**
     * Counts executions. A successful execution is counted as an inference, with operations and time.
     *
     * @param core one of the cores of the process
     * @param status the counter that each execution moves, null for none
     * @param successful true if each execution succeeds
     * @param times the number of executions
     * @param macs multiply-accumulates of each execution
     * @param microseconds duration of each execution
     * @throws IllegalStateException when the process has ended or the device is removed
     */
    public synchronized void execute(
            Core core,
            @Nullable ExecutionCounter status,
            boolean successful,
            long times,
            long macs,
            long microseconds) {
        // The lock prevents a removal of the device in the middle.
        synchronized (core.device()) {
            datastoreOf(core);
            if (status != null) {
                count(core, status, times);
            }
            if (successful) {
                count(core, ExecutionCounter.INFERENCE_COUNT, times);
                count(core, ExecutionCounter.FLOP_COUNT, times * macs);
                count(core, ExecutionCounter.NC_TIME_IN_USE, times * microseconds);
                activity.executed(microseconds, times);
                core.worked(times * macs, times * microseconds);
                driver.registersChanged(core.device());
            }
        }
    }

    /**
     * Allocates device memory.
     *
     * @param core one of the cores of the process
     * @param bytes the size, rounded up to whole pages
     * @throws IllegalStateException when the process has ended or the device is removed
     */
    public synchronized Allocation allocate(Core core, DeviceCategory category, long bytes) {
        synchronized (core.device()) {
            datastoreOf(core);
            return keep(Allocation.ofDevice(driver.nextAllocation(), core, category, bytes));
        }
    }

    /**
     * Allocates host memory.
     *
     * @param core one of the cores of the process
     * @param bytes the size, rounded up to whole pages
     * @throws IllegalStateException when the process has ended or the device is removed
     */
    public synchronized Allocation allocate(Core core, HostCategory category, long bytes) {
        synchronized (core.device()) {
            datastoreOf(core);
            return keep(Allocation.ofHost(driver.nextAllocation(), core, category, bytes));
        }
    }

    private Allocation keep(Allocation allocation) {
        memory.put(allocation.id(), allocation);
        driver.journal().add(this + " makes " + allocation);
        allocation.count();
        return allocation;
    }

    /**
     * Frees memory.
     *
     * @throws IllegalStateException when the process does not hold it (any more), or the device is removed
     */
    public synchronized void free(Allocation allocation) {
        requireAlive();
        Device device = allocation.core().device();
        synchronized (device) {
            if (memory.get(allocation.id()) != allocation) {
                throw new IllegalStateException(this + " does not hold " + allocation);
            }
            device.requirePresent("free");
            memory.remove(allocation.id());
            driver.journal().add(this + " frees " + allocation);
            allocation.uncount();
        }
    }

    /**
     * Ends the process. Device after device, its counts are added to the counters, then its memory is freed.
     *
     * @param killed true if it was killed, which makes a difference only in the journal
     */
    public void end(boolean killed) {
        synchronized (this) {
            if (!alive) {
                return;
            }
            alive = false;
            driver.journal().add(this + (killed ? " is killed" : " exits"));
            datastores.forEach((device, datastore) -> device.close(this, datastore, memoryOn(device)));
            memory.clear();
            models.clear();
        }
        driver.ended(this);
    }

    private List<Allocation> memoryOn(Device device) {
        return memory.values().stream()
                .filter(allocation -> allocation.core().device() == device)
                .toList();
    }

    private Datastore datastoreOf(Core core) {
        requireAlive();
        Datastore datastore = datastores.get(core.device());
        if (datastore == null || !cores.contains(core)) {
            throw new IllegalArgumentException(this + " has not taken " + core + "; it has " + cores);
        }
        core.device().requirePresent("an access by " + this);
        return datastore;
    }

    private void requireAlive() {
        if (!alive) {
            throw new IllegalStateException(this + " has ended");
        }
    }

    /** Returns text such as {@code trainer (pid 1001)}. */
    @Override
    public String toString() {
        return name + " (pid " + pid + ")";
    }
}
