package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.driver.Core;
import dev.neurontest.fake.internal.driver.Counter;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.DeviceCategory;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.EccRegister;
import dev.neurontest.fake.internal.driver.ExecutionCounter;
import dev.neurontest.fake.internal.driver.Field;
import dev.neurontest.fake.internal.driver.HostCategory;
import dev.neurontest.fake.internal.tree.layout.Attribute;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builder of the files of {@code neuronN} for a layout. */
final class DeviceFiles {

    /** Firmware API version. The driver reports power only from version 3 on (neuron_power.c). */
    private static final String FIRMWARE_API_VERSION = "3\n";

    private static final String FIRMWARE_BUILD = "1\n";

    /** Attributes of the kernel's generic power management, which are unrelated to {@code stats/power}. */
    private static final Map<String, String> POWER_MANAGEMENT = Map.of(
            "async", "disabled\n",
            "autosuspend_delay_ms", "0\n",
            "control", "auto\n",
            "runtime_active_kids", "0\n",
            "runtime_active_time", "0\n",
            "runtime_enabled", "disabled\n",
            "runtime_status", "unsupported\n",
            "runtime_suspended_time", "0\n",
            "runtime_usage", "0\n");

    private static final String NOTIFY_DELAY = "info/notify_delay";
    private static final String UNHEALTHY = "stats/hardware/health_status/unhealthy_components";
    private static final String HEARTBEAT = "stats/hardware/health_status/healthcheck_heartbeat";

    private final Driver driver;
    private final DeviceDirectory home;
    private final Device device;

    private DeviceFiles(Driver driver, DeviceDirectory home) {
        this.driver = driver;
        this.home = home;
        this.device = home.device();
    }

    /**
     * An attribute and its path in the layout.
     *
     * @param above the directory that contains the cores of this attribute, with a trailing slash; empty for the directory of the
     *     device
     * @param path path below the directory of the device or the core
     * @param attribute the attribute at this path
     */
    record Placed(String above, String path, Attribute attribute) {

        static List<Placed> all(Layout layout, int architecture) {
            List<Placed> all = new ArrayList<>();
            for (Attribute attribute : layout.attributes()) {
                if (architecture >= attribute.firstArchitecture()) {
                    String place = layout.place((attribute.ofCore() ? Layout.CORE : "") + attribute.path());
                    int core = attribute.ofCore() ? place.indexOf(Layout.CORE) : 0;
                    int path = attribute.ofCore() ? core + Layout.CORE.length() : 0;
                    all.add(new Placed(place.substring(0, core), place.substring(path), attribute));
                }
            }
            return List.copyOf(all);
        }
    }

    /** Fills the directory of a device. The directories of its cores are filled when they are first read. */
    static void fill(DeviceDirectory home, List<Placed> all, Driver driver) {
        DeviceFiles files = new DeviceFiles(driver, home);
        files.putGenericEntries();
        Map<String, List<Placed>> ofCores = new LinkedHashMap<>();
        for (Placed each : all) {
            if (each.attribute().ofCore()) {
                ofCores.putIfAbsent(each.above(), new ArrayList<>());
                ofCores.get(each.above()).add(each);
            } else {
                files.put(home, each, null);
            }
        }
        for (Map.Entry<String, List<Placed>> attributes : ofCores.entrySet()) {
            for (Core core : home.device().cores()) {
                home.directory(attributes.getKey() + "neuron_core" + core.index())
                        .fillLater(directory -> files.put(directory, attributes.getValue(), core));
            }
        }
    }

    private void put(FixedDirectory base, List<Placed> attributes, Core core) {
        for (Placed each : attributes) {
            put(base, each, core);
        }
    }

    private void putGenericEntries() {
        put(
                home,
                "uevent",
                0644,
                new Content.Fixed(
                        "MAJOR=" + DeviceNumbers.MAJOR + "\nMINOR=" + device.index() + "\nDEVNAME=" + device + "\n"));
        put(home, "dev", 0444, new Content.Fixed(DeviceNumbers.of(device.index()) + "\n"));
        home.add(new LinkNode(home, "subsystem", "../../../../class/neuron_device"));
        for (Map.Entry<String, String> each : POWER_MANAGEMENT.entrySet()) {
            int mode = each.getKey().startsWith("runtime_") ? 0444 : 0644;
            put(home, "power/" + each.getKey(), mode, new Content.Fixed(each.getValue()));
        }
    }

    private void put(FixedDirectory base, String path, int mode, Content content) {
        int slash = path.lastIndexOf('/');
        FixedDirectory directory = slash < 0 ? base : base.directory(path.substring(0, slash));
        directory.add(FileNode.attribute(directory, path.substring(slash + 1), mode, content, home));
    }

    private void put(FixedDirectory base, Placed placed, @Nullable Core core) {
        Attribute attribute = placed.attribute();
        if (attribute.kind() == Attribute.Kind.PLAIN) {
            put(base, placed.path(), attribute.mode(), content(attribute, core));
            return;
        }
        Counter counter = counter(attribute, core);
        FixedDirectory directory = base.directory(placed.path());
        for (Field field : Field.values()) {
            if (field != Field.PEAK || attribute.kind() == Attribute.Kind.MEMORY_COUNTER) {
                Content content = new Content.Number(counter, field);
                directory.add(FileNode.attribute(directory, field.fileName(), attribute.mode(), content, home));
            }
        }
    }

    private Counter counter(Attribute attribute, @Nullable Core core) {
        if (core == null) {
            return device.hostMemory(HostCategory.named(attribute.driverName()));
        }
        return switch (attribute.path()) {
            case "stats/memory_usage/host_mem" -> core.hostMemory();
            case "stats/memory_usage/device_mem" -> core.deviceMemory();
            default ->
                attribute.path().startsWith("stats/memory_usage/device_mem/")
                        ? core.deviceMemory(DeviceCategory.named(attribute.driverName()))
                        : executionCounter(attribute, core);
        };
    }

    private static Counter executionCounter(Attribute attribute, Core core) {
        return switch (attribute.driverName()) {
            case "reset_req_count" -> core.resetRequests();
            case "reset_fail_count" -> core.resetFailures();
            default -> {
                Optional<ExecutionCounter> counter = ExecutionCounter.named(attribute.driverName());
                if (counter.isEmpty()) {
                    throw unknown(attribute);
                }
                yield core.counter(counter.get());
            }
        };
    }

    /** Creates the content of a plain attribute. The text is computed on each read, because most attributes of a host are never read. */
    private Content.Text content(Attribute attribute, @Nullable Core core) {
        return new Content.Text(
                () -> core == null ? text(attribute) : text(attribute, core),
                written -> write(attribute, core, written),
                core == null && isReplayed(attribute) ? recorded -> replay(attribute, recorded) : null);
    }

    private static String text(Attribute attribute, Core core) {
        return switch (attribute.path()) {
            case "info/architecture/arch_type" -> core.device().family().coreArchitecture() + "\n";
            case "stats/tensor_engine/pe_cntrs" -> core.peCounters();
            default -> throw unknown(attribute);
        };
    }

    private String text(Attribute attribute) {
        return switch (attribute.path()) {
            case "reset" -> device.resetState() + "\n";
            // The driver prints no newline after core_count, on purpose.
            case "core_count" -> Integer.toString(device.cores().size());
            case "connected_devices" ->
                device.connectedDevices().stream().map(String::valueOf).collect(Collectors.joining(", ", "", "\n"));
            case "fw_api_version" -> FIRMWARE_API_VERSION;
            case "fw_build" -> FIRMWARE_BUILD;
            case NOTIFY_DELAY -> notifyDelay();
            case "info/serial_number" -> HexFormat.of().toHexDigits(device.serialNumber()) + "\n";
            case "info/architecture/arch_type" -> device.family().deviceArchitecture() + "\n";
            case "info/architecture/instance_type" -> device.family().name() + "\n";
            case "info/architecture/device_name" -> device.family().deviceName() + "\n";
            case "stats/power/utilization" -> device.powerOfLastMinute();
            case "stats/power/utilization_raw" -> device.powerNow();
            case Device.HARDWARE_ERROR_EVENT -> device.hardwareErrorEvents() + "\n";
            case UNHEALTHY -> device.unhealthyComponents() + "\n";
            case HEARTBEAT -> device.heartbeat() + "\n";
            default -> device.ecc(register(attribute)) + "\n";
        };
    }

    private static EccRegister register(Attribute attribute) {
        return switch (attribute.name()) {
            case "hbm_ecc_err_count" -> EccRegister.MEM_UNCORRECTED;
            case "repairable_hbm_ecc_err_count" -> EccRegister.MEM_REPAIRABLE_UNCORRECTED;
            case "sram_ecc_err_count" -> EccRegister.SRAM_UNCORRECTED;
            default -> EccRegister.named(attribute.name());
        };
    }

    private void write(Attribute attribute, @Nullable Core core, byte[] written) {
        if (attribute.path().equals(NOTIFY_DELAY)) {
            driver.writeNotifyDelay(written);
        }
        // All attributes except reset share the store function of metrics, which notifies the pollers of the written
        // attribute.
        if (attribute.path().equals("reset")) {
            device.requestReset();
        } else if ((attribute.mode() & 0222) != 0) {
            device.attributeWritten((core == null ? "" : "neuron_core" + core.index() + '/') + attribute.path());
        }
    }

    private static boolean isReplayed(Attribute attribute) {
        return attribute.path().equals("reset")
                || attribute.path().equals(NOTIFY_DELAY)
                || attribute.path().startsWith("stats/hardware/")
                        && !attribute.path().equals(HEARTBEAT);
    }

    private void replay(Attribute attribute, String recorded) {
        long number = Decimal.parse(recorded).orElse(-1);
        switch (attribute.path()) {
            case "reset" -> device.replayReset(recorded.equals("2\n"));
            case NOTIFY_DELAY -> replayNotifyDelay(recorded);
            case Device.HARDWARE_ERROR_EVENT -> {
                if (Decimal.parse(recorded).isPresent()) {
                    device.replayHardwareErrorEvents(number);
                }
            }
            case UNHEALTHY -> {
                // Derived from the registers.
            }
            default -> {
                if (number >= 0 && number <= 0xFFFF) {
                    device.replayEcc(register(attribute), number);
                }
            }
        }
    }

    private String notifyDelay() {
        return driver.notifying() ? "0\n" : "-1\n";
    }

    /** Sets the flag of the module to its recorded value. Each device shows the flag, but most recordings never change it. */
    private void replayNotifyDelay(String recorded) {
        boolean known = recorded.equals("0\n") || recorded.equals("-1\n");
        if (known && !recorded.equals(notifyDelay())) {
            driver.writeNotifyDelay(recorded.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static IllegalStateException unknown(Attribute attribute) {
        return new IllegalStateException("the fake has no content for " + attribute.path());
    }
}
