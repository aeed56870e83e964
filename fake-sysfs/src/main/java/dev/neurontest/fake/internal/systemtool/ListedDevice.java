package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.driver.instance.PciSlot;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A device as {@code neuron-ls} lists it.
 *
 * @param number the number of its node in {@code dev}
 * @param slot its place in the machine
 * @param connectedDevices the devices to which it is linked, by their numbers on the host
 * @param cores the number of its logical cores
 * @param memory the size of its memory, in bytes
 * @param processes the processes that have it open
 */
record ListedDevice(
        int number,
        PciSlot slot,
        List<Integer> connectedDevices,
        int cores,
        long memory,
        List<ListedProcess> processes) {

    /**
     * A process that has a device open.
     *
     * @param pid its number on the host
     * @param command its command line; empty if it is not visible
     * @param runtimeVersion three numbers such as {@code 2.34.10}; {@code NA} for a program without the runtime
     */
    record ListedProcess(long pid, String command, String runtimeVersion) {}

    /** Returns the logical cores by their numbers in {@code NEURON_RT_VISIBLE_CORES}. */
    List<Integer> coreNumbers() {
        return IntStream.range(number * cores, (number + 1) * cores).boxed().toList();
    }

    ListedDevice withoutProcesses() {
        return new ListedDevice(number, slot, connectedDevices, cores, memory, List.of());
    }
}
