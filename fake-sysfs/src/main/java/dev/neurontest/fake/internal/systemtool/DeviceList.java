package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.RuntimeProcess;
import dev.neurontest.fake.internal.driver.instance.HardwareFamily;
import dev.neurontest.fake.internal.systemtool.ListedDevice.ListedProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The devices of a host and their processes at one moment.
 *
 * @param instanceType EC2 name of the host
 * @param logicalCoreSize number of physical cores in a logical core
 * @param choosesLogicalCores true if the family has logical cores of two sizes
 * @param devices the devices that are present, in the order of their nodes
 */
record DeviceList(String instanceType, int logicalCoreSize, boolean choosesLogicalCores, List<ListedDevice> devices) {

    /** Maximum length of a command, which ends with three dots if it is longer. */
    static final int COMMAND = 40;

    static final int WIDE_COMMAND = 80;

    private static final String NO_RUNTIME = "NA";

    /**
     * Lists the devices of a host.
     *
     * @param devices the devices in the order of their nodes
     * @param contained true in a container, where the commands of processes are not visible
     * @param logicalCoreSize number of physical cores in a logical core; 0 for that of the family
     * @param runtimeVersion version of the runtime library
     * @param tools programs without the runtime that have every device open
     */
    static DeviceList of(
            Driver driver,
            List<Device> devices,
            boolean contained,
            int logicalCoreSize,
            String runtimeVersion,
            List<ListedProcess> tools) {
        HardwareFamily family = driver.instanceType().family();
        int size = family.logicalCoreSize(logicalCoreSize);
        List<RuntimeProcess> processes = driver.processes();
        List<ListedDevice> listed = new ArrayList<>();
        for (int number : IntStream.range(0, devices.size()).toArray()) {
            Device device = devices.get(number);
            if (device.present()) {
                Stream<ListedProcess> users = processes.stream()
                        .filter(process -> process.devices().contains(device))
                        .map(process -> new ListedProcess(
                                process.pid(), contained ? "" : process.commandLine(), threeNumbers(runtimeVersion)));
                listed.add(new ListedDevice(
                        number,
                        device.slot(),
                        device.connectedDevices(),
                        device.cores().size() / size,
                        device.family().memory(),
                        Stream.concat(users, tools.stream()).toList()));
            }
        }
        return new DeviceList(driver.instanceType().name(), size, family.logicalCoreSize() > 1, listed);
    }

    /** Returns the same devices without their processes. */
    DeviceList withoutProcesses() {
        return new DeviceList(
                instanceType,
                logicalCoreSize,
                choosesLogicalCores,
                devices.stream().map(ListedDevice::withoutProcesses).toList());
    }

    /** Returns a program without the runtime. */
    static ListedProcess tool(long pid, String command) {
        return new ListedProcess(pid, command, NO_RUNTIME);
    }

    private static String threeNumbers(String version) {
        return version.replaceFirst("^(\\d+\\.\\d+\\.\\d+)\\..*", "$1");
    }

    /** Returns a command with at most some characters. */
    static String shortened(String command, int longest) {
        return command.length() <= longest ? command : beginning(command, longest - 3) + "...";
    }

    /** Returns the beginning of a text. A character outside the basic plane is complete or missing. */
    static String beginning(String text, int longest) {
        int end = Math.min(text.length(), longest);
        return text.substring(0, end > 0 && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
    }
}
