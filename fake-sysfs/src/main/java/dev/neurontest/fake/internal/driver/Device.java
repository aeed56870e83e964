package dev.neurontest.fake.internal.driver;

import dev.neurontest.fake.internal.driver.instance.HardwareFamily;
import dev.neurontest.fake.internal.driver.instance.PciSlot;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A device: its cores, its registers, the processes that have it open, and its reset. Its monitor guards every change. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Device {

    /**
     * Path below {@code neuronN} of the file that is notified at each hardware error event, regardless of the module's notification flag.
     */
    public static final String HARDWARE_ERROR_EVENT = "stats/hardware/health_status/hw_error_event";

    /** Maximum number of processes that can have one device open. */
    static final int DATASTORES = 16;

    private static final int RESETTING = 0;
    private static final int READY = 1;
    private static final int FAILED = 2;

    private final Driver driver;
    private final int index;
    private final HardwareFamily family;
    private final List<Core> cores;
    private final StoredCounter[] hostCategories = new StoredCounter[HostCategory.values().length];
    private final AtomicLongArray ecc = new AtomicLongArray(EccRegister.values().length);
    private final PowerMeter power;
    private volatile Datastore[] datastores = {};
    private volatile boolean present = true;
    // Separate reasons for absence, because the end of one does not end the other.
    private boolean removed;
    private boolean reloading;
    private volatile int removals;
    private volatile long hardwareErrorEvents;
    private volatile int resetState = READY;
    private volatile @Nullable Instant resetEnds;
    private boolean nextResetFails;
    private int openCount;

    Device(Driver driver, int index, HardwareFamily family) {
        this.driver = driver;
        this.index = index;
        this.family = family;
        for (HostCategory category : HostCategory.values()) {
            hostCategories[category.ordinal()] = new StoredCounter(this, -1, "host_mem/" + category);
        }
        List<Core> ofFamily = new ArrayList<>();
        for (int core = 0; core < family.coresPerDevice(); core++) {
            ofFamily.add(new Core(this, core, driver.rules()));
        }
        cores = List.copyOf(ofFamily);
        startHostMemory();
        power = new PowerMeter(driver.clock());
    }

    /** Returns the index of the device, from 0. */
    public int index() {
        return index;
    }

    /** Returns the generation of the hardware, which is the same for every device of a host. */
    public HardwareFamily family() {
        return family;
    }

    /** Returns the physical cores, in order of their index. */
    public List<Core> cores() {
        return cores;
    }

    /**
     * Returns a physical core.
     *
     * @param core an index from 0
     */
    public Core core(int core) {
        return cores.get(core);
    }

    /**
     * Returns the core at a position in the runtime's counting order.
     *
     * @param position a position from 0
     */
    public Core coreAt(int position) {
        return core(family.numbering(driver.platform(), driver.rules().release())
                .map(numbering -> numbering.physicalCore(index, position, driver.diesFlipped()))
                .orElse(position));
    }

    /**
     * Returns the indices of the devices to which this device is linked.
     *
     * @return in the order in which the driver prints them
     */
    public List<Integer> connectedDevices() {
        return driver.instanceType().connectedDevices().get(index);
    }

    /** Returns the place of the device in the machine. */
    public PciSlot slot() {
        return driver.instanceType().slots().get(index);
    }

    /** Returns the counter of host memory in use for one purpose, in bytes. */
    public StoredCounter hostMemory(HostCategory category) {
        return hostCategories[category.ordinal()];
    }

    // ---- presence

    /**
     * Returns whether the device is present.
     *
     * @return false between {@link #remove()} and {@link #restore()}
     */
    public boolean present() {
        return present;
    }

    /** Removes the device from the bus, on request of a test. */
    public void remove() {
        changePresence(() -> removed = true);
    }

    /** Restores a removed device in its former state. */
    public void restore() {
        changePresence(() -> removed = false);
    }

    /** Removes the device, clears everything that the driver counted, and restores the device. */
    void reload() {
        changePresence(() -> reloading = true);
        synchronized (this) {
            datastores = new Datastore[0];
            for (HostCategory category : HostCategory.values()) {
                hostMemory(category).startingAt(0);
            }
            cores.forEach(Core::reload);
            startHostMemory();
            hardwareErrorEvents = 0;
            resetEnds = null;
            resetState = READY;
        }
        changePresence(() -> reloading = false);
    }

    private void startHostMemory() {
        long idle = 0;
        for (Core core : cores) {
            idle += Core.idleHostMemory(core.index());
        }
        hostMemory(HostCategory.DRIVER_MEMORY).startingAt(idle);
    }

    private void changePresence(Runnable change) {
        synchronized (this) {
            change.run();
            boolean isPresent = !removed && !reloading;
            if (present == isPresent) {
                return;
            }
            if (!isPresent) {
                removals++;
            }
            present = isPresent;
            driver.journal().add(this + (isPresent ? " is back" : " is gone"));
            if (!isPresent) {
                driver.removed(this);
            }
        }
        driver.devicesChanged();
    }

    /**
     * Returns how often the device was removed. A file that was opened at another count is a different file.
     *
     * @return 0 for a device that was never removed
     */
    public int removals() {
        return removals;
    }

    void requirePresent(String action) {
        if (!present) {
            throw new IllegalStateException(this + " is not present: " + action + " fails with ENODEV");
        }
    }

    // ---- registers

    /**
     * Returns the serial number. It is derived from instance type and index, which makes it the same in every run.
     *
     * @return a number that is not 0 and has no half that the driver treats as unreadable
     */
    public long serialNumber() {
        // The finalizer of SplitMix64 spreads the few bits of the name over all bits.
        long mixed = (driver.instanceType().name().hashCode() * 31L + index + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /**
     * Reads an ECC register.
     *
     * @return the low 16 bits, as the driver reads them
     */
    public long ecc(EccRegister register) {
        return ecc.get(register.ordinal()) & 0xFFFF;
    }

    /**
     * Counts ECC errors.
     *
     * @param by the number of errors, at least 1
     * @throws IllegalArgumentException when the device has no such register, or the number is less than 1
     */
    public void addEcc(EccRegister register, long by) {
        requireEcc(register, by);
        synchronized (this) {
            ecc.getAndAdd(register.ordinal(), by);
            if (register.uncorrected()) {
                hardwareErrorEvents++;
            }
            driver.journal().add(this + " " + register.fileName() + " is " + ecc(register));
            if (register.uncorrected()) {
                driver.notifyAlways(new NotifiedFile.OfAttribute(this, HARDWARE_ERROR_EVENT));
            }
        }
        driver.registersChanged(this);
    }

    /**
     * Throws an exception if {@link #addEcc} would not accept the arguments.
     *
     * @throws IllegalArgumentException when the device has no such register, or the number of errors is less than 1
     */
    public void requireEcc(EccRegister register, long by) {
        if (by < 1) {
            throw new IllegalArgumentException(
                    register.fileName() + " of " + this + " can only rise by 1 or more, not by " + by);
        }
        if (family.architecture() == 1) {
            throw new IllegalArgumentException(family.name() + " reports no ECC errors");
        }
        if (register == EccRegister.MEM_REPAIRABLE_UNCORRECTED && family.architecture() == 2) {
            throw new IllegalArgumentException(family.name() + " always reports 0 for " + register.fileName());
        }
    }

    /**
     * Sets an ECC register to a recorded value.
     *
     * @param count 0 to 65535
     */
    public void replayEcc(EccRegister register, long count) {
        synchronized (this) {
            if (ecc(register) == count) {
                return;
            }
            ecc.set(register.ordinal(), count);
            driver.journal().add(this + " " + register.fileName() + " is " + count + " (replayed)");
        }
        driver.registersChanged(this);
    }

    /**
     * Sets the number of hardware error events to a recorded value, and notifies the file.
     *
     * @param events the number in {@code hw_error_event}
     */
    public void replayHardwareErrorEvents(long events) {
        synchronized (this) {
            if (hardwareErrorEvents == events) {
                return;
            }
            hardwareErrorEvents = events;
            driver.notifyAlways(new NotifiedFile.OfAttribute(this, HARDWARE_ERROR_EVENT));
        }
        driver.registersChanged(this);
    }

    /**
     * Sets the recorded result of the last reset.
     *
     * @param failed true if the device cannot be opened any more
     */
    public void replayReset(boolean failed) {
        synchronized (this) {
            resetEnds = null;
            resetState = failed ? FAILED : READY;
        }
        driver.registersChanged(this);
    }

    /**
     * Returns the number of hardware error events. In this fake, each count of uncorrected errors is one event.
     *
     * @return the number in {@code hw_error_event}
     */
    public long hardwareErrorEvents() {
        return hardwareErrorEvents;
    }

    /**
     * Returns the unhealthy components. In this fake, these are the memories with uncorrected errors.
     *
     * @return a comma-separated list as in {@code unhealthy_components}, empty if there are none
     */
    public String unhealthyComponents() {
        StringJoiner components = new StringJoiner(",");
        if (ecc(EccRegister.MEM_UNCORRECTED) > 0 || ecc(EccRegister.MEM_REPAIRABLE_UNCORRECTED) > 0) {
            components.add("hbm");
        }
        if (ecc(EccRegister.SRAM_UNCORRECTED) > 0) {
            components.add("sram");
        }
        return components.toString();
    }

    /**
     * Returns the number of health checks of the device. In this fake, there is one each minute since the load of the driver.
     *
     * @return the number in {@code healthcheck_heartbeat}
     */
    public long heartbeat() {
        return Duration.between(driver.loaded(), driver.clock().instant()).toMinutes();
    }

    /**
     * Sets the power that the device draws from now on.
     *
     * @param hundredthsOfPercent 0 to 10,000, without the idle background
     */
    public void draw(int hundredthsOfPercent) {
        power.draw(hundredthsOfPercent);
        driver.journal().add(this + " draws " + hundredthsOfPercent + "/10000 of its power");
        driver.registersChanged(this);
    }

    /**
     * Returns the text of {@code utilization}.
     *
     * @return status, time and lowest, highest and mean percentage of the last full minute
     */
    public String powerOfLastMinute() {
        return power.lastMinute();
    }

    /**
     * Returns the text of {@code utilization_raw}.
     *
     * @return a header and one line for each die: one die on arch v2, two on later ones
     */
    public String powerNow() {
        return power.raw(family.architecture() >= 3 ? 2 : 1);
    }

    // ---- reset

    /**
     * Returns the number in {@code reset}.
     *
     * @return 0 while resetting, 1 ready, 2 failed
     */
    public int resetState() {
        settle();
        return resetState;
    }

    /**
     * Applies a write to {@code reset}. Starts a reset, unless the device is open or a reset is pending. Reports nothing in either
     * case (neuron_cdev.c, neuron_reset.c).
     */
    public void requestReset() {
        settle();
        synchronized (this) {
            if (openCount > 0 || resetEnds != null) {
                String reason = openCount > 0 ? "open by " + openCount + " process(es)" : "already resetting";
                driver.journal().add(this + " reset request ignored: " + reason);
                return;
            }
            resetState = RESETTING;
            resetEnds = driver.clock().instant().plus(driver.resetDuration());
            driver.journal().add(this + " resets");
            cores.forEach(this::countReset);
        }
        driver.registersChanged(this);
    }

    /** Schedules a failure of the next reset. */
    public synchronized void failNextReset() {
        nextResetFails = true;
        driver.journal().add(this + " will fail its next reset");
    }

    /** Ends a reset that is due. Every view calls this before it reads. */
    public void settle() {
        if (resetEnds != null) {
            endReset(driver.clock());
        }
    }

    private void endReset(Clock clock) {
        synchronized (this) {
            Instant ends = resetEnds;
            if (ends == null || clock.instant().isBefore(ends)) {
                return;
            }
            resetEnds = null;
            resetState = nextResetFails ? FAILED : READY;
            driver.journal().add(this + (nextResetFails ? " failed to reset" : " is reset"));
            if (nextResetFails) {
                cores.forEach(core -> core.resetFailures().increase(1));
            }
            nextResetFails = false;
        }
        driver.registersChanged(this);
    }

    private void countReset(Core core) {
        core.resetRequests().increase(1);
        if (driver.rules().resetLeaksPage()) {
            core.hostMemory().increase(Allocation.PAGE);
            hostMemory(HostCategory.DRIVER_MEMORY).increase(Allocation.PAGE);
        }
    }

    // ---- processes

    /** Returns whether an open must wait for a reset. */
    boolean resetting() {
        return resetState() == RESETTING;
    }

    /**
     * Opens the device for a process.
     *
     * @return empty if the process must wait for a reset first
     */
    Optional<Datastore> open(RuntimeProcess process) {
        synchronized (this) {
            requirePresent("open");
            if (resetState == RESETTING) {
                return Optional.empty();
            }
            if (resetState == FAILED) {
                throw new IllegalStateException(this + " failed its last reset: open fails with EINVAL");
            }
            Datastore datastore = freeDatastore();
            datastore.give(process);
            openCount++;
            return Optional.of(datastore);
        }
    }

    /** Counts the reset of the cores that a process takes. */
    void resetCores(List<Core> taken) {
        synchronized (this) {
            taken.forEach(this::countReset);
        }
    }

    /** Closes the device for a process. First its counts are added, then its memory is freed. */
    void close(RuntimeProcess process, Datastore datastore, List<Allocation> memory) {
        synchronized (this) {
            openCount--;
            datastore.give(null);
            if (!driver.rules().liveDatastore()) {
                cores.forEach(core -> release(datastore, core));
            }
            memory.forEach(allocation -> {
                driver.journal().add(process + " ends and frees " + allocation);
                allocation.uncount();
            });
        }
    }

    private static void release(Datastore datastore, Core core) {
        for (ExecutionCounter counter : ExecutionCounter.values()) {
            core.counter(counter).raise(datastore.get(core, counter) * counter.scale());
            datastore.clear(core, counter);
        }
    }

    private Datastore freeDatastore() {
        for (Datastore datastore : datastores) {
            if (datastore.owner() == null) {
                return datastore;
            }
        }
        if (datastores.length == DATASTORES) {
            throw new IllegalStateException(this + " is open by " + DATASTORES + " processes: open fails with EBUSY");
        }
        return addDatastore();
    }

    private Datastore addDatastore() {
        Datastore[] more = Arrays.copyOf(datastores, datastores.length + 1);
        Datastore added = new Datastore(cores.size());
        more[datastores.length] = added;
        datastores = more;
        return added;
    }

    /** Returns an entry for counts that belong to no process. */
    Datastore anyDatastore() {
        return datastores.length > 0 ? datastores[0] : addDatastore();
    }

    /** Returns all entries that were ever used. Entries of ended processes keep their numbers on drivers from 2.30.2. */
    Datastore[] datastores() {
        return datastores;
    }

    void counterChanging(Counter counter) {
        driver.counterChanging(counter);
    }

    void counterChanged(Counter counter, String how) {
        driver.counterChanged(counter, how);
    }

    /** Notifies the file of a field, if notifications are on. */
    void notifyIfOn(Counter counter, Field field) {
        driver.notifyIfOn(counter, field);
    }

    /**
     * Notifies a plain attribute at the end of a write, if notifications are on now. This applies to attributes with a store function for
     * metrics, regardless of the effect of the write.
     *
     * @param path the attribute, below {@code neuronN}
     */
    public void attributeWritten(String path) {
        driver.notifyIfOn(new NotifiedFile.OfAttribute(this, path));
    }

    /** Returns text such as {@code neuron3}. */
    @Override
    public String toString() {
        return "neuron" + index;
    }
}
