package dev.neurontest.internal.lease;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The cores that a test requires. Requests for several cores mean consecutive indices unless stated otherwise, because the
 * runtime requires them in {@code NEURON_RT_VISIBLE_CORES}. Such a sequence uses as few devices as possible. If possible it
 * starts at a multiple of its length, where collectives of the runtime can start. Low indices are taken first.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface CoreRequest {

    /** Creates a request for any single core. */
    static CoreRequest any() {
        return new InARow(1);
    }

    /** Creates a request for cores with consecutive indices. */
    static CoreRequest inARow(int count) {
        return new InARow(count);
    }

    /**
     * Creates a request for given cores.
     *
     * @param indices logical indices, granted in this order
     */
    static CoreRequest exactly(int... indices) {
        return new Exactly(Arrays.stream(indices).boxed().toList());
    }

    /** Creates a request for cores with consecutive indices on a single device. */
    static CoreRequest onOneDevice(int count) {
        return new OnOneDevice(count);
    }

    /**
     * Creates a request for cores with consecutive indices on devices that are linked to each other.
     *
     * @see OnConnectedDevices
     */
    static CoreRequest onConnectedDevices(int count) {
        return new OnConnectedDevices(count);
    }

    /**
     * Creates a request for consecutive cores that collectives of the runtime can use.
     *
     * @param run consecutive cores, optionally on a single device or on connected devices
     * @see ForCollectives
     */
    static CoreRequest forCollectives(CoreRequest run) {
        return new ForCollectives(run);
    }

    /** Creates a request for any cores, in any positions. */
    static CoreRequest scattered(int count) {
        return new Scattered(count);
    }

    /** Creates a request for all cores of any single device. */
    static CoreRequest anyDevice() {
        return new AnyDevice();
    }

    /**
     * Creates a request for all cores of given devices.
     *
     * @param indices the N of {@code neuronN}, granted in this order
     */
    static CoreRequest devices(int... indices) {
        return new Devices(Arrays.stream(indices).boxed().toList());
    }

    /**
     * Returns the description of the request for messages.
     *
     * @return for example {@code 2 cores in a row on one device}
     */
    String description();

    /**
     * A request for cores with consecutive indices.
     *
     * @param count the number of cores
     */
    record InARow(int count) implements CoreRequest {

        /**
         * Creates a request.
         *
         * @param count the number of cores, at least 1
         */
        public InARow {
            requireSome(count);
        }

        /** Compares the counts. The generated method of a record would delay the first test of a JVM. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof InARow row && count == row.count;
        }

        @Override
        public int hashCode() {
            return count;
        }

        @Override
        public String description() {
            return count == 1 ? "1 core" : count + " cores in a row";
        }
    }

    /**
     * A request for given cores.
     *
     * @param indices logical indices
     */
    record Exactly(List<Integer> indices) implements CoreRequest {

        /**
         * Creates a request.
         *
         * @param indices at least one logical index, without duplicates
         */
        public Exactly {
            indices = requireDistinct(indices);
        }

        @Override
        public String description() {
            return (indices.size() == 1 ? "core " : "cores ") + joined(indices, "");
        }
    }

    /**
     * A request for cores with consecutive indices on a single device.
     *
     * @param count the number of cores
     */
    record OnOneDevice(int count) implements CoreRequest {

        /**
         * Creates a request.
         *
         * @param count the number of cores, at least 1
         */
        public OnOneDevice {
            requireSome(count);
        }

        @Override
        public String description() {
            return new InARow(count).description() + " on one device";
        }
    }

    /**
     * A request for cores with consecutive indices on connected devices. Any two of the devices are connected by a path of direct
     * links inside the requested devices. Cores on a single device also satisfy the request. The links are those of
     * {@link dev.neurontest.device.NeuronDevice#connectedDevices()}. Before driver 2.28 only root can read them.
     *
     * @param count the number of cores
     */
    record OnConnectedDevices(int count) implements CoreRequest {

        /**
         * Creates a request.
         *
         * @param count the number of cores, at least 1
         */
        public OnConnectedDevices {
            requireSome(count);
        }

        @Override
        public String description() {
            return new InARow(count).description() + " on connected devices";
        }
    }

    /**
     * A request for consecutive cores that start at a multiple of their number. The collectives of the family run on this number
     * of cores, as far as that is {@linkplain dev.neurontest.internal.device.runtime.CollectiveGroups documented}.
     *
     * @param run the request for consecutive cores
     */
    record ForCollectives(CoreRequest run) implements CoreRequest {

        /**
         * Creates a request.
         *
         * @param run a request for consecutive cores
         */
        public ForCollectives {
            if (count(run) == 0) {
                throw new IllegalArgumentException("cores for collectives are in a row, not " + run.description());
            }
        }

        /**
         * Returns the number of requested cores.
         *
         * @return at least 1
         */
        public int count() {
            return count(run);
        }

        private static int count(CoreRequest run) {
            if (run instanceof InARow inARow) {
                return inARow.count();
            }
            if (run instanceof OnOneDevice onOneDevice) {
                return onOneDevice.count();
            }
            return run instanceof OnConnectedDevices onConnected ? onConnected.count() : 0;
        }

        @Override
        public String description() {
            return count() == 1 ? run.description() : "%s from a multiple of %s".formatted(run.description(), count());
        }
    }

    /**
     * A request for any cores, in any positions.
     *
     * @param count the number of cores
     */
    record Scattered(int count) implements CoreRequest {

        /**
         * Creates a request.
         *
         * @param count the number of cores, at least 1
         */
        public Scattered {
            requireSome(count);
        }

        @Override
        public String description() {
            return count == 1 ? "1 core" : count + " cores anywhere";
        }
    }

    /** A request for all cores of any single device. */
    record AnyDevice() implements CoreRequest {

        @Override
        public String description() {
            return "a whole device";
        }
    }

    /**
     * A request for all cores of given devices.
     *
     * @param indices the N of {@code neuronN}
     */
    record Devices(List<Integer> indices) implements CoreRequest {

        /**
         * Creates a request.
         *
         * @param indices at least one N of {@code neuronN}, without duplicates
         */
        public Devices {
            indices = requireDistinct(indices);
        }

        @Override
        public String description() {
            return (indices.size() == 1 ? "device " : "devices ") + joined(indices, "neuron");
        }
    }

    private static void requireSome(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("a request is for at least 1 core, not " + count);
        }
    }

    private static List<Integer> requireDistinct(List<Integer> indices) {
        if (indices.isEmpty()) {
            throw new IllegalArgumentException("a request names at least one index");
        }
        if (indices.stream().anyMatch(index -> index < 0)) {
            throw new IllegalArgumentException("an index is at least 0: " + indices);
        }
        if (new HashSet<>(indices).size() < indices.size()) {
            throw new IllegalArgumentException("a request names an index once: " + indices);
        }
        return List.copyOf(indices);
    }

    private static String joined(List<Integer> indices, String prefix) {
        return indices.stream().map(index -> prefix + index).collect(Collectors.joining(", "));
    }
}
