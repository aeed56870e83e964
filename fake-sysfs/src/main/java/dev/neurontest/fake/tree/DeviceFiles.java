package dev.neurontest.fake.tree;

import dev.neurontest.fake.driver.Core;
import dev.neurontest.fake.driver.Counter;
import dev.neurontest.fake.driver.Device;
import dev.neurontest.fake.driver.DeviceCategory;
import dev.neurontest.fake.driver.Driver;
import dev.neurontest.fake.driver.EccRegister;
import dev.neurontest.fake.driver.ExecutionCounter;
import dev.neurontest.fake.driver.Field;
import dev.neurontest.fake.driver.HostCategory;
import dev.neurontest.fake.tree.layout.Attribute;
import dev.neurontest.fake.tree.layout.Layout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The files of {@code neuronN}, by a layout. */
final class DeviceFiles {

    /** Power is valid from version 3 on (neuron_power.c). */
    private static final String FIRMWARE_API_VERSION = "3\n";

    private static final String FIRMWARE_BUILD = "1\n";

    /** The generic power management of the kernel, which has nothing to do with {@code stats/power}. */
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

    private final Driver driver;
    private final DeviceDirectory home;
    private final Device device;

    private DeviceFiles(Driver driver, DeviceDirectory home) {
        this.driver = driver;
        this.home = home;
        this.device = home.device();
    }

    /** Fills the directory of a device. */
    static void fill(DeviceDirectory home, Layout layout, Driver driver) {
        DeviceFiles files = new DeviceFiles(driver, home);
        files.putGenericEntries();
        List<Attribute> attributes = layout.attributes().stream()
                .filter(each -> driver.instanceType().family().architecture() >= each.firstArchitecture())
                .toList();
        attributes.stream()
                .filter(each -> !each.ofCore())
                .forEach(each -> files.put(layout.place(each.path()), each, null));
        for (Attribute each : attributes) {
            if (each.ofCore()) {
                String place = layout.place(Layout.CORE + each.path());
                home.device()
                        .cores()
                        .forEach(core ->
                                files.put(place.replace(Layout.CORE, "neuron_core" + core.index() + '/'), each, core));
            }
        }
    }

    private void putGenericEntries() {
        put(
                "uevent",
                0644,
                ignoringWrites(() ->
                        "MAJOR=" + DeviceNumbers.MAJOR + "\nMINOR=" + device.index() + "\nDEVNAME=" + device + "\n"));
        put("dev", 0444, ignoringWrites(() -> DeviceNumbers.of(device.index()) + "\n"));
        home.add(new LinkNode(home, "subsystem", "../../../../class/neuron_device"));
        POWER_MANAGEMENT.forEach((name, text) ->
                put("power/" + name, name.startsWith("runtime_") ? 0444 : 0644, ignoringWrites(() -> text)));
    }

    private void put(String path, int mode, Content content) {
        int slash = path.lastIndexOf('/');
        FixedDirectory directory = slash < 0 ? home : home.directory(path.substring(0, slash));
        directory.add(FileNode.attribute(directory, path.substring(slash + 1), mode, content, home));
    }

    private void put(String place, Attribute attribute, @Nullable Core core) {
        if (attribute.kind() == Attribute.Kind.PLAIN) {
            put(place, attribute.mode(), content(attribute, core));
            return;
        }
        for (Field field : Field.values()) {
            if (field != Field.PEAK || attribute.kind() == Attribute.Kind.MEMORY_COUNTER) {
                put(
                        place + '/' + field.fileName(),
                        attribute.mode(),
                        new Content.Number(counter(attribute, core), field));
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
            default ->
                core.counter(ExecutionCounter.named(attribute.driverName()).orElseThrow(() -> unknown(attribute)));
        };
    }

    private Content.Text content(Attribute attribute, @Nullable Core core) {
        Content.Text content = core == null ? contentOfDevice(attribute) : contentOfCore(attribute, core);
        return ofMetrics(attribute)
                ? content.andThen(() -> device.attributeWritten(
                        (core == null ? "" : "neuron_core" + core.index() + '/') + attribute.path()))
                : content;
    }

    /** Whether the attribute shares the store function of metrics, which notifies what was written: all but {@code reset}. */
    private static boolean ofMetrics(Attribute attribute) {
        return (attribute.mode() & 0222) != 0 && !attribute.path().equals("reset");
    }

    private static Content.Text contentOfCore(Attribute attribute, Core core) {
        return switch (attribute.path()) {
            case "info/architecture/arch_type" ->
                ignoringWrites(() -> core.device().family().coreArchitecture() + "\n");
            case "stats/tensor_engine/pe_cntrs" -> ignoringWrites(core::peCounters);
            default -> throw unknown(attribute);
        };
    }

    private Content.Text contentOfDevice(Attribute attribute) {
        return switch (attribute.path()) {
            case "reset" ->
                text(() -> device.resetState() + "\n", written -> device.requestReset())
                        .replayedBy(recorded -> device.replayReset(recorded.equals("2\n")));
            // The driver prints no newline here, on purpose.
            case "core_count" ->
                ignoringWrites(() -> Integer.toString(device.cores().size()));
            case "connected_devices" ->
                ignoringWrites(() -> device.connectedDevices().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", ", "", "\n")));
            case "fw_api_version" -> ignoringWrites(() -> FIRMWARE_API_VERSION);
            case "fw_build" -> ignoringWrites(() -> FIRMWARE_BUILD);
            case "info/notify_delay" ->
                text(this::notifyDelay, driver::writeNotifyDelay).replayedBy(this::replayNotifyDelay);
            case "info/serial_number" -> ignoringWrites(() -> HexFormat.of().toHexDigits(device.serialNumber()) + "\n");
            case "info/architecture/arch_type" ->
                ignoringWrites(() -> device.family().deviceArchitecture() + "\n");
            case "info/architecture/instance_type" ->
                ignoringWrites(() -> device.family().name() + "\n");
            case "info/architecture/device_name" ->
                ignoringWrites(() -> device.family().deviceName() + "\n");
            case "stats/power/utilization" -> ignoringWrites(device::powerOfLastMinute);
            case "stats/power/utilization_raw" -> ignoringWrites(device::powerNow);
            case "stats/hardware/health_status/hbm_ecc_err_count" -> ecc(device, EccRegister.MEM_UNCORRECTED);
            case "stats/hardware/health_status/repairable_hbm_ecc_err_count" ->
                ecc(device, EccRegister.MEM_REPAIRABLE_UNCORRECTED);
            case "stats/hardware/health_status/sram_ecc_err_count" -> ecc(device, EccRegister.SRAM_UNCORRECTED);
            case Device.HARDWARE_ERROR_EVENT ->
                ignoringWrites(() -> device.hardwareErrorEvents() + "\n")
                        .replayedBy(recorded -> Decimal.parse(recorded).ifPresent(device::replayHardwareErrorEvents));
            case "stats/hardware/health_status/unhealthy_components" ->
                // Follows from the registers.
                ignoringWrites(() -> device.unhealthyComponents() + "\n").replayedBy(recorded -> {});
            case "stats/hardware/health_status/healthcheck_heartbeat" ->
                ignoringWrites(() -> device.heartbeat() + "\n");
            default -> {
                if (!attribute.path().startsWith("stats/hardware/")) {
                    throw unknown(attribute);
                }
                yield ecc(device, EccRegister.named(attribute.name()));
            }
        };
    }

    private static Content.Text ecc(Device device, EccRegister register) {
        return ignoringWrites(() -> device.ecc(register) + "\n").replayedBy(recorded -> {
            long count = Decimal.parse(recorded).orElse(-1);
            if (count >= 0 && count <= 0xFFFF) {
                device.replayEcc(register, count);
            }
        });
    }

    private String notifyDelay() {
        return driver.notifying() ? "0\n" : "-1\n";
    }

    /** Each device shows the flag of the module, which most recordings never change. */
    private void replayNotifyDelay(String recorded) {
        boolean known = recorded.equals("0\n") || recorded.equals("-1\n");
        if (known && !recorded.equals(notifyDelay())) {
            driver.writeNotifyDelay(recorded.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static Content.Text ignoringWrites(Supplier<String> text) {
        return text(text, written -> {});
    }

    private static Content.Text text(Supplier<String> text, Consumer<byte[]> write) {
        return new Content.Text(text, write);
    }

    private static IllegalStateException unknown(Attribute attribute) {
        return new IllegalStateException("the fake has no content for " + attribute.path());
    }
}
