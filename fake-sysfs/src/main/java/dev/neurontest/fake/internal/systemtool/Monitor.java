package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.driver.ChangeListener;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.EccRegister;
import dev.neurontest.fake.internal.driver.RuntimeProcess;
import dev.neurontest.fake.internal.driver.instance.HardwareFamily;
import dev.neurontest.fake.internal.driver.instance.MadeUpIds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A run of {@code neuron-monitor}: its groups, their periods, and what it has reported already. A process that has ended since the last
 * report is reported once more, with the rest of its executions.
 */
final class Monitor implements ChangeListener, AutoCloseable {

    private static final double NANO = 1e-9;

    private final Driver driver;
    private final List<Device> devices;
    private final int logicalCoreSize;
    private final CoreNumbers numbers;
    private final MonitorConfig config;
    private final LongSupplier nanoTime;
    private final List<Timer> system = new ArrayList<>();
    private final List<List<Timer>> runtimes = new ArrayList<>();
    private final List<List<MonitoredProcess>> processes = new ArrayList<>();
    private final Map<Device, Map<EccRegister, Long>> ecc = new LinkedHashMap<>();
    private Map<String, long[]> processors = Map.of();
    private final long start;
    // Guarded by opened. A process is in driver.processes() until the end of its end, when it may have been reported
    // already.
    private final Set<RuntimeProcess> known = Collections.newSetFromMap(new WeakHashMap<>());
    private final List<MonitoredProcess> opened = new ArrayList<>();

    /** The times at which a group is due. */
    private static final class Timer {

        private final String group;
        private final long period;
        private long due;
        private long collected;

        private Timer(String group, Duration period) {
            this.group = group;
            this.period = period.toNanos();
        }

        private double seconds(long now) {
            return (now - collected) * NANO;
        }
    }

    Monitor(Driver driver, List<Device> devices, int logicalCoreSize, MonitorConfig config, LongSupplier nanoTime) {
        this.driver = driver;
        this.devices = devices;
        this.logicalCoreSize = logicalCoreSize;
        this.numbers = new CoreNumbers(devices, logicalCoreSize);
        this.config = config;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        config.system().forEach((group, period) -> system.add(new Timer(group, period)));
        for (MonitorConfig.Runtime runtime : config.runtimes()) {
            List<Timer> timers = new ArrayList<>();
            runtime.groups().forEach((group, period) -> timers.add(new Timer(group, period)));
            runtimes.add(timers);
            processes.add(new ArrayList<>());
        }
        devices.forEach(device -> ecc.put(device, registers(device)));
        driver.addListener(this);
        keepOpened(true);
        takeOpened();
    }

    /** Keeps the new processes: one that ends before the next report must be in it, with the tag of its program. */
    @Override
    public void processOpened() {
        keepOpened(false);
    }

    private void keepOpened(boolean older) {
        synchronized (opened) {
            driver.processes().stream()
                    .filter(known::add)
                    .filter(process -> process.devices().stream().anyMatch(devices::contains))
                    .forEach(process -> opened.add(new MonitoredProcess(process, devices, numbers, older)));
        }
    }

    /** Returns the nanoseconds since the start. */
    private long now() {
        return nanoTime.getAsLong() - start;
    }

    @Override
    public void close() {
        driver.removeListener(this);
    }

    /** Returns the nanoseconds until the next report; 0 if it is due. */
    long untilNext() {
        return Math.max(0, timers().stream().mapToLong(timer -> timer.due).min().orElse(Long.MAX_VALUE) - now());
    }

    private List<Timer> timers() {
        List<Timer> timers = new ArrayList<>(system);
        runtimes.forEach(timers::addAll);
        return timers;
    }

    /** Returns a report with the groups that are due, in one line. */
    String report() throws IOException {
        long now = now();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("neuron_runtime_data", runtimes(now));
        Map<String, Object> host = new LinkedHashMap<>();
        for (Map.Entry<String, Double> group : due(system, now).entrySet()) {
            host.put(group.getKey(), group(group.getKey(), group.getValue()));
        }
        json.put("system_data", host);
        json.put("instance_info", instance());
        json.put("neuron_hardware_info", hardware());
        return JsonText.line(json);
    }

    /** Takes the groups that are due, with the seconds since their previous report. */
    private static Map<String, Double> due(List<Timer> timers, long now) {
        Map<String, Double> due = new LinkedHashMap<>();
        for (Timer timer : timers) {
            if (timer.due <= now) {
                due.put(timer.group, timer.seconds(now));
                timer.collected = now;
                timer.due += (1 + (now - timer.due) / timer.period) * timer.period;
            }
        }
        return due;
    }

    private List<Object> runtimes(long now) {
        takeOpened();
        List<Object> entries = new ArrayList<>();
        for (int i = 0; i < runtimes.size(); i++) {
            Map<String, Double> due = due(runtimes.get(i), now);
            if (due.isEmpty()) {
                continue;
            }
            Map<String, Double> all = new LinkedHashMap<>();
            runtimes.get(i).forEach(timer -> all.put(timer.group, due.getOrDefault(timer.group, timer.seconds(now))));
            processes.get(i).removeIf(process -> {
                boolean ended = !process.process().alive();
                // This is the last report of a process that has ended, so it has every group.
                entries.add(process.report(ended ? all : due));
                return ended;
            });
        }
        return entries;
    }

    /** Assigns each new process to the first configuration that matches its tag. */
    private void takeOpened() {
        List<MonitoredProcess> added;
        synchronized (opened) {
            added = List.copyOf(opened);
            opened.clear();
        }
        for (MonitoredProcess process : added) {
            for (int i = 0; i < processes.size(); i++) {
                if (config.runtimes().get(i).takes(process.tag())) {
                    processes.get(i).add(process);
                    break;
                }
            }
        }
    }

    private Map<String, @Nullable Object> group(String name, double seconds) throws IOException {
        Map<String, @Nullable Object> group = new LinkedHashMap<>();
        group.put("period", seconds);
        switch (name) {
            case "memory_info" -> group.putAll(MachineUse.memory());
            case "vcpu_usage" -> group.putAll(processors());
            default -> group.put("neuron_devices", hardwareCounters());
        }
        group.put("error", "");
        return group;
    }

    private Map<String, Object> processors() throws IOException {
        Map<String, long[]> now = MachineUse.processors();
        Map<String, long[]> before = processors.isEmpty() ? now : processors;
        processors = now;
        Map<String, Object> each = new LinkedHashMap<>();
        now.keySet().stream()
                .filter(name -> name.matches("cpu[0-9]+") && before.containsKey(name))
                .forEach(name -> each.put(name.substring(3), MachineUse.shares(before.get(name), now.get(name))));
        Map<String, Object> usage = new LinkedHashMap<>();
        usage.put("average_usage", MachineUse.shares(before.get("cpu"), now.get("cpu")));
        usage.put("usage_data", each);
        usage.put("context_switch_count", now.get("ctxt")[0] - before.get("ctxt")[0]);
        return usage;
    }

    /** Returns the memory errors since the previous report; null if there is no device. */
    private @Nullable List<Object> hardwareCounters() {
        List<Object> counters = new ArrayList<>();
        for (int number = 0; number < devices.size(); number++) {
            Device device = devices.get(number);
            if (device.present()) {
                Map<EccRegister, Long> now = registers(device);
                Map<EccRegister, Long> before = ecc.getOrDefault(device, now);
                ecc.put(device, now);
                Map<String, Object> errors = new LinkedHashMap<>();
                errors.put("neuron_device_index", number);
                for (EccRegister register : List.of(
                        EccRegister.MEM_CORRECTED,
                        EccRegister.MEM_UNCORRECTED,
                        EccRegister.SRAM_UNCORRECTED,
                        EccRegister.SRAM_CORRECTED)) {
                    errors.put(register.fileName(), Math.max(0, now.get(register) - before.get(register)));
                }
                counters.add(errors);
            }
        }
        return counters.isEmpty() ? null : counters;
    }

    private static Map<EccRegister, Long> registers(Device device) {
        Map<EccRegister, Long> registers = new LinkedHashMap<>();
        for (EccRegister register : EccRegister.values()) {
            registers.put(register, device.ecc(register));
        }
        return registers;
    }

    private Map<String, Object> instance() {
        Map<String, Object> instance = new LinkedHashMap<>();
        instance.put("instance_name", "");
        instance.put("instance_id", MadeUpIds.INSTANCE);
        instance.put("instance_type", driver.instanceType().name());
        instance.put("instance_availability_zone", "us-west-2b");
        instance.put("instance_availability_zone_id", "usw2-az2");
        instance.put("instance_region", "us-west-2");
        instance.put("ami_id", MadeUpIds.IMAGE);
        instance.put("subnet_id", MadeUpIds.SUBNET);
        instance.put("error", "");
        return instance;
    }

    private Map<String, Object> hardware() {
        HardwareFamily family = driver.instanceType().family();
        MonitorNames names = MonitorNames.of(family);
        Map<String, Object> hardware = new LinkedHashMap<>();
        hardware.put("neuron_device_type", names.deviceType());
        hardware.put("neuron_device_version", names.deviceVersion());
        hardware.put("neuroncore_version", logicalCoreSize > 1 ? names.coreVersion() + "d" : names.coreVersion());
        hardware.put(
                "neuron_device_count", devices.stream().filter(Device::present).count());
        hardware.put("neuron_device_memory_size", family.memory());
        hardware.put("neuroncore_per_device_count", family.coresPerDevice() / logicalCoreSize);
        hardware.put("logical_neuroncore_config", logicalCoreSize);
        hardware.put("error", "");
        return hardware;
    }
}
