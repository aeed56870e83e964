package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.Core;
import dev.neurontest.fake.internal.driver.DeviceCategory;
import dev.neurontest.fake.internal.driver.ExecutionCounter;
import dev.neurontest.fake.internal.driver.HostCategory;
import dev.neurontest.fake.internal.driver.LoadedModel;
import dev.neurontest.fake.internal.driver.RuntimeProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A process that owns cores, like a process that uses the Neuron runtime. It counts its executions and loads in its datastore.
 * Up to driver 2.29 the counters show them when the process ends, from 2.30 at once. Memory shows at once on every driver.
 *
 * <p>Every method that changes something throws {@link IllegalStateException} after the process has ended and while the device is
 * removed. It throws {@link IllegalArgumentException} for a core that the process has not taken.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeProcess implements AutoCloseable {

    /** Multiply-accumulates of an execution; {@code flop_count} shows twice as many. */
    static final long MACS = 1_000_000;

    /** Amount by which an execution moves {@code nc_time_in_use}. */
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
     * Returns the process id.
     *
     * @return the process id under {@code proc/}. It is not related to a process of the machine unless it was set.
     */
    public long pid() {
        return state.pid();
    }

    /**
     * Returns the name of the process.
     *
     * @return the name as it was set
     */
    public String name() {
        return state.name();
    }

    /**
     * Returns the cores that the process has taken.
     *
     * @return physical cores, in the order of the request
     */
    public List<FakeCore> cores() {
        return cores;
    }

    /**
     * Checks whether the process still runs.
     *
     * @return false after {@link #close()} or {@link #kill()}
     */
    public boolean alive() {
        return state.alive();
    }

    /**
     * Loads a model: counts one load and allocates memory for its code until the process ends.
     *
     * @param core one of the cores of the process: a physical core, or a {@code NeuronCore} of a test, for its first physical core
     * @param bytes the size of the code in bytes
     * @return the memory of the code
     */
    public FakeAllocation load(Object core, long bytes) {
        FakeAllocation code = allocate(core, DeviceCategory.MODEL_CODE.toString(), bytes);
        state.count(host.core(core).state(), ExecutionCounter.MODEL_LOAD_COUNT, 1);
        return code;
    }

    /**
     * Executes once, successfully.
     *
     * @param core one of the cores of the process: a physical core, or a {@code NeuronCore} of a test with all its physical cores
     */
    public void execute(Object core) {
        execute(core, 1);
    }

    /**
     * Executes successfully.
     *
     * @param core one of the cores of the process: a physical core, or a {@code NeuronCore} of a test with all its physical cores
     * @param times the number of executions
     */
    public void execute(Object core, long times) {
        execute(core, NrtStatus.NRT_SUCCESS, times);
    }

    /**
     * Executes successfully. Kotlin does not convert an {@code Int} to a {@code long}.
     *
     * @param core one of the cores of the process: a physical core, or a {@code NeuronCore} of a test with all its physical cores
     * @param times the number of executions
     */
    public void execute(Object core, int times) {
        execute(core, (long) times);
    }

    /**
     * Executes. A successful execution is counted as an inference, with operations and time. A failed execution moves only the counter of
     * its status, or none if the status has no counter.
     *
     * @param core one of the cores of the process: a physical core, or a {@code NeuronCore} of a test with all its physical cores
     * @param status the status with which each execution ends
     * @param times the number of executions
     */
    public void execute(Object core, NrtStatus status, long times) {
        if (times < 0) {
            throw new IllegalArgumentException("cannot execute " + times + " times on " + core);
        }
        host.physicalCores(core).forEach(physical -> execute(physical, status, times, MACS, TIME));
    }

    /**
     * Executes. Kotlin does not convert an {@code Int} to a {@code long}.
     *
     * @param core one of the cores of the process: a physical core, or a {@code NeuronCore} of a test with all its physical cores
     * @param status the status with which each execution ends
     * @param times the number of executions
     */
    public void execute(Object core, NrtStatus status, int times) {
        execute(core, status, (long) times);
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

    Map<Long, LoadedModel> models() {
        return state.models();
    }

    /**
     * Allocates device memory.
     *
     * @param core one of the cores of the process: a physical core, or a {@code NeuronCore} of a test, for its first physical core; it counts the memory
     * @param category a name under {@code stats/memory_usage/device_mem} of a core, such as {@code tensors}
     * @param bytes the size in bytes, rounded up to whole pages of 4096
     * @return the allocation
     */
    public FakeAllocation allocate(Object core, String category, long bytes) {
        FakeCore physical = host.core(core);
        DeviceCategory deviceCategory = DeviceCategory.named(category);
        host.requireFile(physical.state(), "stats/memory_usage/device_mem/" + category + "/total");
        return new FakeAllocation(physical, state.allocate(physical.state(), deviceCategory, bytes));
    }

    /**
     * Allocates host memory.
     *
     * @param core one of the cores of the process: a physical core, or a {@code NeuronCore} of a test, for its first physical core; it counts the sum, and its
     *     device counts the category
     * @param category a name under {@code stats/memory_usage/host_mem} of a device, such as {@code dma_buffers}
     * @param bytes the size in bytes, rounded up to whole pages of 4096
     * @return the allocation
     */
    public FakeAllocation allocateHost(Object core, String category, long bytes) {
        FakeCore physical = host.core(core);
        HostCategory hostCategory = HostCategory.named(category);
        host.requireFile(physical.device().state(), "stats/memory_usage/host_mem/" + category + "/total");
        return new FakeAllocation(physical, state.allocate(physical.state(), hostCategory, bytes));
    }

    /**
     * Frees memory.
     *
     * @param allocation one of the allocations of the process
     * @throws IllegalStateException when it belongs to another process, was freed before, or its device is removed
     */
    public void free(FakeAllocation allocation) {
        state.free(allocation.state());
    }

    /** Ends the process with an exit: device after device, the counts are published, then the memory is freed. */
    @Override
    public void close() {
        state.end(false);
    }

    /** Kills the process, which has the same effect as an exit. */
    public void kill() {
        state.end(true);
    }

    /** Returns text such as {@code trainer (pid 1001)}. */
    @Override
    public String toString() {
        return state.toString();
    }

    /** A builder of one process. */
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
         * Sets the process id, for example that of the real program behind this process. The default is the next free number from 1001.
         *
         * @param number the process id, from 1 to 2147483647
         * @return this
         * @throws IllegalArgumentException when it is not a process id
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
         * Sets the number of physical cores in a logical core, as the runtime's {@code NEURON_LOGICAL_NC_CONFIG} does. The default depends
         * on the family: 2 on Trn2 and Trn3, otherwise 1. On Inf1, Inf2 and Trn1 the default always applies.
         *
         * @param size 1 or 2
         * @return this
         */
        public Builder logicalCoreSize(int size) {
            logicalCoreSize = OptionalInt.of(size);
            return this;
        }

        /**
         * Starts the process as {@code nrt_init} of the runtime does: it takes exactly the named logical cores, or none. They
         * are reset, and {@code reset_req_count} rises by one on each physical core.
         *
         * @param visibleCores the runtime's {@code NEURON_RT_VISIBLE_CORES}: logical cores of the host in one ascending run, such as
         *     {@code 3}, {@code 3-6} or {@code 3-5,6}; {@code all}, for a program that does not set this variable; or {@code any:N}, for a
         *     program that sets {@code NEURON_RT_NUM_CORES}: the first N adjacent free cores
         * @return the process; its cores are physical, in the order in which it counts them
         * @throws IllegalStateException when another process holds one of the cores (the message has the runtime's {@code NeuronCore(s) not
         *     available - Requested:… Available:…} and names the holders, and {@link FakeNeuronHost#refusals()} lists it too); when
         *     a process with this number runs; when a device cannot be opened; or when the host is closed
         * @throws IllegalArgumentException when the cores are not such a run, the host does not have them, or the size is not
         *     1 or 2
         */
        public FakeProcess init(String visibleCores) {
            return host.start(driver -> driver.init(name, pid, visibleCores, logicalCoreSize));
        }

        /**
         * Starts the process with physical cores, as {@link FakeNeuronHost#openProcess(String, Object...)} does.
         *
         * @param cores each a {@code NeuronCore} of a test with all its physical cores, a list of these, or a physical core; at least one
         * @return the process
         * @throws IllegalStateException in the same cases as that method, and when a process with this number runs
         */
        public FakeProcess open(Object... cores) {
            List<Core> coreStates = Stream.of(cores)
                    .flatMap(core -> host.physicalCores(core).stream())
                    .map(FakeCore::state)
                    .toList();
            return host.start(driver -> driver.open(name, pid, coreStates));
        }
    }
}
