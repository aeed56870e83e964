package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.systemtool.ListedDevice.ListedProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** The part of the system tools that runs in the host and reads its devices and processes. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SystemTools {

    /** The first version that prints the numbers of cores and the processors near a device. */
    private static final int PLACED = 25;

    /** The first version that repeats the instance in each device. */
    private static final int INSTANCE = 29;

    private final Driver driver;
    private final List<Device> devices;
    private final boolean contained;
    private final Supplier<String> runtimeVersion;
    private volatile CollectivesBenchmark collectives = CollectivesBenchmark.USUAL;
    // The programs that have every device open and do not use the runtime.
    private final List<ListedProcess> monitors = new CopyOnWriteArrayList<>();

    /**
     * Creates the tools of a host.
     *
     * @param devices the devices in the order of their nodes
     * @param contained true in a container
     * @param runtimeVersion returns the version of the runtime library
     */
    public SystemTools(Driver driver, List<Device> devices, boolean contained, Supplier<String> runtimeVersion) {
        this.driver = driver;
        this.devices = devices;
        this.contained = contained;
        this.runtimeVersion = runtimeVersion;
    }

    /** Returns the results of {@code nccom-test}. */
    public CollectivesBenchmark collectives() {
        return collectives;
    }

    /** Sets the results of {@code nccom-test}. */
    public void collectives(CollectivesBenchmark results) {
        collectives = results;
    }

    Driver driver() {
        return driver;
    }

    List<Device> devices() {
        return devices;
    }

    List<ListedProcess> monitors() {
        return monitors;
    }

    /**
     * Lists the devices.
     *
     * @param minor the second number of the tool's version
     * @param format {@code table}, {@code topology} or {@code json}
     * @param logicalCoreSize number of physical cores in a logical core; 0 for that of the family
     * @param wide true for long commands
     * @param others the programs without the runtime to list too, except monitors
     * @return the output; empty if there is no device
     */
    String list(int minor, String format, int logicalCoreSize, boolean wide, List<ListedProcess> others) {
        List<ListedProcess> tools = new ArrayList<>();
        if (!others.isEmpty()) {
            tools.addAll(monitors);
            tools.addAll(others);
        }
        DeviceList list = DeviceList.of(driver, devices, contained, logicalCoreSize, runtimeVersion.get(), tools);
        if (list.devices().isEmpty()) {
            return "";
        }
        boolean placed = minor >= PLACED;
        int command = wide ? DeviceList.WIDE_COMMAND : DeviceList.COMMAND;
        return switch (format) {
            case "json" -> DeviceJson.of(list, placed, minor >= INSTANCE, command);
            case "topology" ->
                DeviceTable.of(list.withoutProcesses(), placed, command) + DevicePicture.of(list.devices());
            default -> DeviceTable.of(list, placed, command);
        };
    }
}
