package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.Core;
import dev.neurontest.fake.internal.driver.DeviceCategory;
import dev.neurontest.fake.internal.driver.ExecutionCounter;
import dev.neurontest.fake.internal.driver.HostCategory;
import dev.neurontest.fake.internal.driver.RuntimeProcess;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A process that owns cores, as one that uses the Neuron runtime does. What it executes and loads it counts in its datastore:
 * up to driver 2.29 the counters show it when the process ends, from 2.30 at once. Memory shows at once on every driver.
 *
 * <p>Every method that does something throws {@link IllegalStateException} once the process has ended and while the device is
 * gone, and {@link IllegalArgumentException} for a core that it has not taken.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeProcess implements AutoCloseable {

    /** Multiply-accumulates of an execution; {@code flop_count} shows twice as many. */
    static final long MACS = 1_000_000;

    /** The time by which an execution moves {@code nc_time_in_use}. */
    static final Duration TIME = Duration.ofMillis(1);

    private final FakeNeuronHost host;
    private final RuntimeProcess state;
    private final List<FakeCore> cores;

    FakeProcess(FakeNeuronHost host, RuntimeProcess state, List<FakeCore> cores) {
        this.host = host;
        this.state = state;
        this.cores = List.copyOf(cores);
    }

    /**
     * Its number.
     *
     * @return the process id under {@code proc/}; no process of the machine has to do with it unless it was given
     */
    public long pid() {
        return state.pid();
    }

    /**
     * Its name.
     *
     * @return as it was given
     */
    public String name() {
        return state.name();
    }

    /**
     * The cores that it has taken.
     *
     * @return physical cores, in the order in which they were asked for
     */
    public List<FakeCore> cores() {
        return cores;
    }

    /**
     * Whether it still runs.
     *
     * @return false after {@link #close()} or {@link #kill()}
     */
    public boolean alive() {
        return state.alive();
    }

    /**
     * Loads a model: one load counted, and memory for its code until the process ends.
     *
     * @param core one of its cores
     * @param bytes the size of the code
     * @return the code's memory
     */
    public FakeAllocation load(FakeCore core, long bytes) {
        FakeAllocation code = allocate(core, DeviceCategory.MODEL_CODE.toString(), bytes);
        state.count(core.state(), ExecutionCounter.MODEL_LOAD_COUNT, 1);
        return code;
    }

    /**
     * Executes once, successfully.
     *
     * @param core one of its cores
     */
    public void execute(FakeCore core) {
        execute(core, 1);
    }

    /**
     * Executes successfully.
     *
     * @param core one of its cores
     * @param times how often
     */
    public void execute(FakeCore core, long times) {
        execute(core, NrtStatus.NRT_SUCCESS, times);
    }

    /**
     * Executes. What succeeds counts as inference, with operations and time; what does not moves the counter of its status
     * only, and none if the status has no counter.
     *
     * @param core one of its cores
     * @param status how each execution ends
     * @param times how often
     */
    public void execute(FakeCore core, NrtStatus status, long times) {
        if (times < 0) {
            throw new IllegalArgumentException("cannot execute " + times + " times on " + core);
        }
        execute(core, status, times, MACS, TIME);
    }

    void execute(FakeCore core, NrtStatus status, long times, long macs, Duration time) {
        state.execute(
                core.state(),
                status.counter().orElse(null),
                status == NrtStatus.NRT_SUCCESS,
                times,
                macs,
                time.toNanos() / 1000);
    }

    /**
     * Allocates device memory.
     *
     * @param core one of its cores, which counts it
     * @param category a name under {@code stats/memory_usage/device_mem} of a core, such as {@code tensors}
     * @param bytes how much; rounded up to whole pages of 4096
     * @return the allocation
     */
    public FakeAllocation allocate(FakeCore core, String category, long bytes) {
        DeviceCategory known = DeviceCategory.named(category);
        host.requireFile(core.state(), "stats/memory_usage/device_mem/" + category + "/total");
        return new FakeAllocation(core, state.allocate(core.state(), known, bytes));
    }

    /**
     * Allocates host memory.
     *
     * @param core one of its cores, which counts the sum; its device counts the category
     * @param category a name under {@code stats/memory_usage/host_mem} of a device, such as {@code dma_buffers}
     * @param bytes how much; rounded up to whole pages of 4096
     * @return the allocation
     */
    public FakeAllocation allocateHost(FakeCore core, String category, long bytes) {
        HostCategory known = HostCategory.named(category);
        host.requireFile(core.device().state(), "stats/memory_usage/host_mem/" + category + "/total");
        return new FakeAllocation(core, state.allocate(core.state(), known, bytes));
    }

    /**
     * Frees memory.
     *
     * @param allocation one of its allocations
     * @throws IllegalStateException when it is not, was freed before, or its device is gone
     */
    public void free(FakeAllocation allocation) {
        state.free(allocation.state());
    }

    /** Exits: device after device, what was counted shows, then memory is freed. */
    @Override
    public void close() {
        state.end(false);
    }

    /** Is killed, which has the same effect as to exit. */
    public void kill() {
        state.end(true);
    }

    /** Such as {@code trainer (pid 1001)}. */
    @Override
    public String toString() {
        return state.toString();
    }

    /** Describes a process to start. Each description is for one process. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private final FakeNeuronHost host;
        private final String name;
        private OptionalLong pid = OptionalLong.empty();
        private OptionalInt logicalCoreSize = OptionalInt.empty();

        Builder(FakeNeuronHost host, String name) {
            this.host = host;
            this.name = name;
        }

        /**
         * Sets its number, such as that of the program which it stands for. Without it, the next free one from 1001.
         *
         * @param number from 1 to 2147483647
         * @return this
         * @throws IllegalArgumentException when it is not a number of a process
         */
        public Builder pid(long number) {
            if (number < 1 || number > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "a pid is a number from 1 to " + Integer.MAX_VALUE + ", not " + number);
            }
            pid = OptionalLong.of(number);
            return this;
        }

        /**
         * Sets how many physical cores one logical core is, the runtime's {@code NEURON_LOGICAL_NC_CONFIG}. Without it, and on
         * Inf1, Inf2 and Trn1 always, it is what is usual for the family: 2 on Trn2 and Trn3, else 1.
         *
         * @param size 1 or 2
         * @return this
         */
        public Builder logicalCoreSize(int size) {
            logicalCoreSize = OptionalInt.of(size);
            return this;
        }

        /**
         * Starts it as {@code nrt_init} of the runtime does: it gets exactly the logical cores that it names, or none. They
         * are reset, and {@code reset_req_count} rises by one on each physical core.
         *
         * @param visibleCores the runtime's {@code NEURON_RT_VISIBLE_CORES}: logical cores of the host in one ascending run,
         *     such as {@code 3}, {@code 3-6} or {@code 3-5,6}; {@code all}, for a program that
         *     sets no such variable; or {@code any:N}, for one that sets {@code NEURON_RT_NUM_CORES}: the first N neighbours that
         *     are free
         * @return the process; its cores are physical, in the order in which it counts them
         * @throws IllegalStateException when another process holds one of them (the message has the runtime's {@code NeuronCore(s) not
         *     available - Requested:… Available:…} and names the holders, and {@link FakeNeuronHost#refusals()} has it too); when
         *     a process of this number runs; when a device cannot be opened; or when the host is closed
         * @throws IllegalArgumentException when the cores are not such a run, the host does not have them, or the size is not
         *     1 or 2
         */
        public FakeProcess init(String visibleCores) {
            return host.start(driver -> driver.init(name, pid, visibleCores, logicalCoreSize));
        }

        /**
         * Starts it with physical cores, as {@link FakeNeuronHost#openProcess(String, FakeCore...)} does.
         *
         * @param cores at least one
         * @return the process
         * @throws IllegalStateException as there, and when a process of this number runs
         */
        public FakeProcess open(FakeCore... cores) {
            List<Core> wanted = Stream.of(cores).map(FakeCore::state).toList();
            return host.start(driver -> driver.open(name, pid, wanted));
        }
    }
}
