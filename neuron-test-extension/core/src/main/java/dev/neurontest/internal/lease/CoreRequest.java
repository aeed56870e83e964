package dev.neurontest.internal.lease;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Which cores a test wants. Unless it says otherwise, a request for several cores means consecutive indices, because that is
 * what the runtime accepts in {@code NEURON_RT_VISIBLE_CORES}. Such a run takes as few devices as possible and, if it can, starts
 * at a multiple of its length, where collectives of the runtime can start. Low indices are taken first.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface CoreRequest {

    /**
     * Any core.
     *
     * @return the request
     */
    static CoreRequest any() {
        return new InARow(1);
    }

    /**
     * Cores with consecutive indices.
     *
     * @param count how many
     * @return the request
     */
    static CoreRequest inARow(int count) {
        return new InARow(count);
    }

    /**
     * Certain cores.
     *
     * @param indices logical indices, granted in this order
     * @return the request
     */
    static CoreRequest exactly(int... indices) {
        return new Exactly(Arrays.stream(indices).boxed().toList());
    }

    /**
     * Cores with consecutive indices, all on one device.
     *
     * @param count how many
     * @return the request
     */
    static CoreRequest onOneDevice(int count) {
        return new OnOneDevice(count);
    }

    /**
     * Cores with consecutive indices on devices that are linked to each other.
     *
     * @param count how many
     * @return the request
     * @see OnConnectedDevices
     */
    static CoreRequest onConnectedDevices(int count) {
        return new OnConnectedDevices(count);
    }

    /**
     * Cores in a row that collectives of the runtime can use.
     *
     * @param run cores in a row, which may have to lie on one device or on connected ones
     * @return the request
     * @see ForCollectives
     */
    static CoreRequest forCollectives(CoreRequest run) {
        return new ForCollectives(run);
    }

    /**
     * Any cores, wherever they are.
     *
     * @param count how many
     * @return the request
     */
    static CoreRequest scattered(int count) {
        return new Scattered(count);
    }

    /**
     * All cores of any one device.
     *
     * @return the request
     */
    static CoreRequest anyDevice() {
        return new AnyDevice();
    }

    /**
     * All cores of certain devices.
     *
     * @param indices the N of {@code neuronN}, granted in this order
     * @return the request
     */
    static CoreRequest devices(int... indices) {
        return new Devices(Arrays.stream(indices).boxed().toList());
    }

    /**
     * What messages call it.
     *
     * @return such as {@code 2 cores in a row on one device}
     */
    String description();

    /**
     * Cores with consecutive indices.
     *
     * @param count how many
     */
    record InARow(int count) implements CoreRequest {

        /**
         * Wants at least one.
         *
         * @param count how many
         */
        public InARow {
            requireSome(count);
        }

        /** The method that a record has delays the first test of a JVM. */
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
     * Certain cores.
     *
     * @param indices logical indices
     */
    record Exactly(List<Integer> indices) implements CoreRequest {

        /**
         * Wants at least one, and none twice.
         *
         * @param indices logical indices
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
     * Cores with consecutive indices, all on one device.
     *
     * @param count how many
     */
    record OnOneDevice(int count) implements CoreRequest {

        /**
         * Wants at least one.
         *
         * @param count how many
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
     * Cores with consecutive indices on connected devices: between any two of the devices there is a way over direct links that
     * does not leave the devices of the request. Cores that all lie on one device meet that too. The links are those of
     * {@link dev.neurontest.device.NeuronDevice#connectedDevices()}, which only root may read before driver 2.28.
     *
     * @param count how many
     */
    record OnConnectedDevices(int count) implements CoreRequest {

        /**
         * Wants at least one.
         *
         * @param count how many
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
     * Cores in a row that start at a multiple of their number. The number is one on which the collectives of the family run, as far as
     * that is {@linkplain dev.neurontest.internal.device.CollectiveGroups documented}.
     *
     * @param run what is wanted besides
     */
    record ForCollectives(CoreRequest run) implements CoreRequest {

        /**
         * Wants cores in a row.
         *
         * @param run what is wanted besides
         */
        public ForCollectives {
            if (count(run) == 0) {
                throw new IllegalArgumentException("cores for collectives are in a row, not " + run.description());
            }
        }

        /**
         * Returns how many cores are wanted.
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
     * Any cores, wherever they are.
     *
     * @param count how many
     */
    record Scattered(int count) implements CoreRequest {

        /**
         * Wants at least one.
         *
         * @param count how many
         */
        public Scattered {
            requireSome(count);
        }

        @Override
        public String description() {
            return count == 1 ? "1 core" : count + " cores anywhere";
        }
    }

    /** All cores of any one device. */
    record AnyDevice() implements CoreRequest {

        @Override
        public String description() {
            return "a whole device";
        }
    }

    /**
     * All cores of certain devices.
     *
     * @param indices the N of {@code neuronN}
     */
    record Devices(List<Integer> indices) implements CoreRequest {

        /**
         * Wants at least one, and none twice.
         *
         * @param indices the N of {@code neuronN}
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
