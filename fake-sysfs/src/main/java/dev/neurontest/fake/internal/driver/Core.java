package dev.neurontest.fake.internal.driver;

import dev.neurontest.fake.internal.driver.instance.DriverRules;
import java.util.concurrent.atomic.AtomicLong;
import org.apiguardian.api.API;

/** A physical core: its counters and the cycle counts of its tensor engine. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Core {

    /** Number of row groups of the tensor engine, each a line of {@code pe_cntrs}. */
    static final int ROW_GROUPS = 4;

    /** Multiply-accumulates of one row group of 32 by 128 elements in a cycle. */
    private static final long MACS_PER_CYCLE = 32L * 128;

    private static final long CYCLES_PER_MICROSECOND = 1400;

    // Host memory of a driver that no process uses: derived from driver 2.24.7.0, not verified on a machine.
    private static final long IDLE_FIRST_CORE = 4_530_176;
    private static final long IDLE_OTHER_CORE = 266_240;

    private final Device device;
    private final int index;
    private final String name;
    private final Counter[] execution = new Counter[ExecutionCounter.COUNT];
    private final StoredCounter[] categories = new StoredCounter[DeviceCategory.values().length];
    private final StoredCounter hostMemory;
    private final StoredCounter deviceMemory;
    private final StoredCounter resetRequests;
    private final StoredCounter resetFailures;
    private final AtomicLong matrixCycles = new AtomicLong();
    private final AtomicLong idleCycles = new AtomicLong();

    Core(Device device, int index, DriverRules rules) {
        this.device = device;
        this.index = index;
        name = device + "/neuron_core" + index;
        for (ExecutionCounter counter : ExecutionCounter.values()) {
            execution[counter.ordinal()] = rules.liveDatastore()
                    ? new LiveCounter(this, counter)
                    : new StoredCounter(device, index, counter.counterName());
        }
        for (DeviceCategory category : DeviceCategory.values()) {
            categories[category.ordinal()] = new StoredCounter(device, index, "device_mem/" + category);
        }
        deviceMemory = new StoredCounter(device, index, "device_mem");
        hostMemory = new StoredCounter(device, index, "host_mem");
        resetRequests = new StoredCounter(device, index, "reset_req_count");
        resetFailures = new StoredCounter(device, index, "reset_fail_count");
        reload();
    }

    /** Sets every counter to its value after a load of the driver. The reset at the load is counted. */
    void reload() {
        for (Counter counter : execution) {
            if (counter instanceof StoredCounter stored) {
                stored.startingAt(0);
            }
        }
        for (StoredCounter category : categories) {
            category.startingAt(0);
        }
        deviceMemory.startingAt(0);
        hostMemory.startingAt(idleHostMemory(index));
        resetRequests.startingAt(1);
        resetFailures.startingAt(0);
        matrixCycles.set(0);
        idleCycles.set(0);
    }

    /** Returns the device that contains the core. */
    public Device device() {
        return device;
    }

    /** Returns the index of the core inside the device, from 0. */
    public int index() {
        return index;
    }

    /** Returns a counter that processes keep in their datastores, as sysfs shows it. */
    public Counter counter(ExecutionCounter counter) {
        return execution[counter.ordinal()];
    }

    /**
     * Returns the counter of all device memory in use for this core, in bytes.
     *
     * @return the sum of its categories
     */
    public StoredCounter deviceMemory() {
        return deviceMemory;
    }

    /** Returns the counter of device memory in use for one purpose, in bytes. */
    public StoredCounter deviceMemory(DeviceCategory category) {
        return categories[category.ordinal()];
    }

    /** Returns the counter of all host memory in use for this core, in bytes. */
    public StoredCounter hostMemory() {
        return hostMemory;
    }

    /** Returns the counter of requested resets; it is 1 after a load of the driver. */
    public StoredCounter resetRequests() {
        return resetRequests;
    }

    /** Returns the counter of failed resets. */
    public StoredCounter resetFailures() {
        return resetFailures;
    }

    /**
     * Returns the text of {@code pe_cntrs}. The numbers are invented: matrix cycles from the multiply-accumulates of a fully
     * used engine at 1.4 GHz, idle cycles from the rest of the time in use, no weight loads.
     *
     * @return a header and one line for each row group
     */
    public String peCounters() {
        StringBuilder text = new StringBuilder(128).append("xrow_grp,mm_active,wl_active,idle\n");
        for (int row = 0; row < ROW_GROUPS; row++) {
            text.append(row)
                    .append(',')
                    .append(Long.toUnsignedString(matrixCycles.get()))
                    .append(",0,")
                    .append(Long.toUnsignedString(idleCycles.get()))
                    .append('\n');
        }
        return text.toString();
    }

    static long idleHostMemory(int index) {
        return index == 0 ? IDLE_FIRST_CORE : IDLE_OTHER_CORE;
    }

    void worked(long macs, long microseconds) {
        long active = macs / (ROW_GROUPS * MACS_PER_CYCLE);
        matrixCycles.addAndGet(active);
        idleCycles.addAndGet(Math.max(0, microseconds * CYCLES_PER_MICROSECOND - active));
    }

    /** Returns text such as {@code neuron0/neuron_core1}. */
    @Override
    public String toString() {
        return name;
    }
}
