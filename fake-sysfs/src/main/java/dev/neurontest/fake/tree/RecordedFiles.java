package dev.neurontest.fake.tree;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.archive.Archive;
import dev.neurontest.fake.archive.Entry;
import dev.neurontest.fake.archive.Step;
import dev.neurontest.fake.driver.Counter;
import dev.neurontest.fake.driver.Device;
import dev.neurontest.fake.driver.Driver;
import dev.neurontest.fake.driver.EccRegister;
import dev.neurontest.fake.driver.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a recorded host: exactly those that were there. What the driver keeps starts at the recorded values and lives on
 * in it; everything else shows what was recorded.
 */
final class RecordedFiles {

    private static final String CLASS = "sys/class/neuron_device";
    private static final String NODES = "dev";
    private static final Pattern NUMBER = Pattern.compile("(0|[1-9][0-9]{0,19})\n");

    /** Registers and what is written; the others that are no counters move with the clock or never. */
    private static final Pattern KEPT_BY_DRIVER =
            Pattern.compile("reset|info/notify_delay|stats/hardware/(?!.*healthcheck_heartbeat).*");

    private final Driver driver;
    private final RecordedDirectory root = new RecordedDirectory(null, "", 0755, false);
    private final NavigableMap<String, Planned> plan = new TreeMap<>();
    private final Map<String, Device> devices = new LinkedHashMap<>();
    private final Map<String, RecordedFault> faults = new ConcurrentHashMap<>();
    private Consumer<String> changed = path -> {};

    /** Everything that is in a directory at some time. */
    private static final class Planned {

        private final int mode;
        private final boolean first;
        private final Map<String, Entry> entries = new LinkedHashMap<>();
        private final Set<String> later = new LinkedHashSet<>();

        Planned(int mode, boolean first) {
            this.mode = mode;
            this.first = first;
        }
    }

    private RecordedFiles(Driver driver) {
        this.driver = driver;
        driver.devices().forEach(device -> devices.put(HostFiles.DEVICES + '/' + device, device));
    }

    static RecordedFiles of(Archive archive, Layout layout, Driver driver) {
        RecordedFiles files = new RecordedFiles(driver);
        files.collect(archive);
        files.build(HostFiles.root(layout, driver));
        files.hideWhatComesLater();
        files.start(archive);
        return files;
    }

    DirectoryNode root() {
        return root;
    }

    /** Tells of every file whose content has changed without the driver's doing. */
    void onChange(Consumer<String> listener) {
        changed = listener;
    }

    // ---- building

    private void collect(Archive archive) {
        archive.directories().forEach((path, directory) -> {
            Planned planned = new Planned(directory.mode(), true);
            planned.entries.putAll(directory.entries());
            plan.put(path, planned);
        });
        archive.timeline().stream()
                .flatMap(look -> look.steps().stream())
                .filter(Step.Changed.class::isInstance)
                .map(Step.Changed.class::cast)
                .forEach(change -> {
                    Planned planned = plan.computeIfAbsent(change.path(), unseen -> new Planned(change.mode(), false));
                    change.entries().forEach((name, entry) -> {
                        if (!(entry instanceof Entry.Gone) && planned.entries.putIfAbsent(name, entry) == null) {
                            planned.later.add(name);
                        }
                    });
                });
    }

    private void build(DirectoryNode model) {
        for (String path : List.of(HostFiles.DEVICES, CLASS, NODES)) {
            directory(path);
        }
        plan.forEach((path, planned) -> {
            if (device(path) == null) {
                RecordedDirectory directory = directory(path);
                planned.entries.forEach((name, entry) -> add(directory, name, entry, !planned.later.contains(name)));
            }
        });
        devices.forEach((path, device) -> {
            Planned planned = plan.get(path);
            if (planned != null) {
                RecordedDirectory above = directory(HostFiles.DEVICES);
                above.add(new DeviceDirectory(above, device, planned.mode, shape(path, model)), device);
            }
            if (planned == null || !planned.first) {
                device.remove();
            }
        });
        root.add(new ProcessesDirectory(root, "proc", driver));
    }

    /** The directory at a path that belongs to no device, made where it is missing. */
    private RecordedDirectory directory(String path) {
        RecordedDirectory here = root;
        String above = "";
        for (String name : path.split("/")) {
            above = above.isEmpty() ? name : above + '/' + name;
            Node next = here.child(name, true);
            if (!(next instanceof RecordedDirectory)) {
                Planned planned = plan.get(above);
                boolean always = above.equals(HostFiles.DEVICES) || above.equals(CLASS) || above.equals(NODES);
                next = new RecordedDirectory(here, name, planned == null ? 0755 : planned.mode, always);
                here.add(next);
            }
            here = (RecordedDirectory) next;
        }
        return here;
    }

    private void add(RecordedDirectory directory, String name, Entry entry, boolean first) {
        Node node = node(directory, name, entry);
        String home = HostFiles.DEVICES + '/' + name;
        Device device = devices.get(home);
        boolean follows = device != null
                && (directory.path().equals(CLASS) || directory.path().equals(NODES))
                && plan.containsKey(home)
                && plan.get(home).first == first;
        if (device != null && follows) {
            directory.add(node, device);
        } else {
            directory.add(node);
        }
    }

    private static Node node(RecordedDirectory directory, String name, Entry entry) {
        if (entry instanceof Entry.Link link) {
            return new LinkNode(directory, name, link.target());
        }
        if (entry instanceof Entry.Device device) {
            return FileNode.ordinary(directory, name, device.mode(), () -> "");
        }
        return FileNode.attribute(directory, name, mode(entry), recorded(entry, written -> {}));
    }

    private Shape shape(String home, DirectoryNode model) {
        Shape shape = new Shape();
        String inHome = home + '/';
        plan.tailMap(home).entrySet().stream()
                .takeWhile(entry -> entry.getKey().startsWith(home))
                .filter(entry -> entry.getKey().equals(home) || entry.getKey().startsWith(inHome))
                .forEach(directory -> {
                    String path = directory.getKey();
                    Planned planned = directory.getValue();
                    String below = path.substring(Math.min(path.length(), home.length() + 1));
                    if (!below.isEmpty()) {
                        shape.directory(below, planned.mode);
                    }
                    planned.entries.forEach((name, entry) -> shape.put(
                            below.isEmpty() ? name : below + '/' + name, part(home, below, name, entry, model)));
                });
        return shape;
    }

    private Shape.Part part(String home, String below, String name, Entry entry, DirectoryNode model) {
        if (entry instanceof Entry.Link link) {
            return (directory, linkName) -> new LinkNode(directory, linkName, link.target());
        }
        String path = below.isEmpty() ? name : below + '/' + name;
        Content content = content(devices.get(home), path, entry, find(model, home + '/' + path));
        return (directory, fileName) -> FileNode.attribute(directory, fileName, mode(entry), content);
    }

    private static Content content(@Nullable Device device, String path, Entry entry, @Nullable Node model) {
        if (model instanceof FileNode file) {
            if (file.content() instanceof Content.Number
                    || KEPT_BY_DRIVER.matcher(path).matches()) {
                return file.content();
            }
            return recorded(entry, file.content()::store);
        }
        boolean notified = (mode(entry) & 0222) != 0 && device != null;
        return recorded(entry, notified ? written -> device.attributeWritten(path) : written -> {});
    }

    private static Content recorded(Entry entry, Consumer<byte[]> write) {
        return new Content.Recorded(new AtomicReference<>(bytes(entry)), write);
    }

    private static byte[] bytes(Entry entry) {
        return entry instanceof Entry.Content file ? file.content().getBytes(StandardCharsets.ISO_8859_1) : new byte[0];
    }

    static int mode(Entry entry) {
        if (entry instanceof Entry.Content file) {
            return file.mode();
        }
        if (entry instanceof Entry.Unreadable file) {
            return file.mode();
        }
        return entry instanceof Entry.Device device ? device.mode() : 0777;
    }

    private void hideWhatComesLater() {
        plan.forEach((path, planned) -> {
            if (!planned.first && !devices.containsKey(path)) {
                show(path, false);
            }
            if (planned.first) {
                planned.later.forEach(name -> show(path + '/' + name, false));
            }
        });
    }

    // ---- the beginning

    private void start(Archive archive) {
        archive.directories().forEach((path, directory) -> {
            for (Field field : Field.values()) {
                Node node = find(root, path + '/' + field.fileName());
                OptionalLong value = number(directory.entries().get(field.fileName()));
                if (value.isPresent()
                        && node instanceof FileNode file
                        && file.content() instanceof Content.Number counter
                        && counter.field() == field) {
                    counter.counter().startAt(field, value.getAsLong());
                }
            }
        });
        // Everything first: some files show what others do.
        archive.directories().forEach((path, directory) -> {
            if (device(path) != null) {
                directory.entries().forEach((name, entry) -> tell(path + '/' + name, entry));
            }
        });
        archive.directories()
                .forEach((path, directory) ->
                        directory.entries().forEach((name, entry) -> standBefore(path + '/' + name, entry)));
    }

    private static OptionalLong number(@Nullable Entry entry) {
        if (entry instanceof Entry.Content file
                && NUMBER.matcher(file.content()).matches()) {
            try {
                return OptionalLong.of(Long.parseUnsignedLong(file.content().strip()));
            } catch (NumberFormatException e) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.empty();
    }

    /** Tells the driver what a register or a flag was, as far as it can be that. */
    private void tell(String path, Entry entry) {
        Device device = device(path);
        Node node = find(root, path);
        if (device == null
                || !(entry instanceof Entry.Content recorded)
                || !(node instanceof FileNode file)
                || !(file.content() instanceof Content.Text)) {
            return;
        }
        String below = path.substring((HostFiles.DEVICES + '/' + device + '/').length());
        if (below.equals("info/notify_delay")) {
            boolean on = recorded.content().equals("0\n");
            if (on != driver.notifying() && (on || recorded.content().equals("-1\n"))) {
                driver.writeNotifyDelay(bytes(recorded));
            }
            return;
        }
        number(recorded).ifPresent(value -> {
            if (below.equals("reset")) {
                device.replayReset(value == 2);
            } else if (below.equals(Device.HARDWARE_ERROR_EVENT)) {
                device.replayHardwareErrorEvents(value);
            } else if (value >= 0 && value <= 0xFFFF) {
                register(below).ifPresent(register -> device.replayEcc(register, value));
            }
        });
    }

    private static Optional<EccRegister> register(String path) {
        return switch (path) {
            case "stats/hardware/health_status/hbm_ecc_err_count" -> Optional.of(EccRegister.MEM_UNCORRECTED);
            case "stats/hardware/health_status/repairable_hbm_ecc_err_count" ->
                Optional.of(EccRegister.MEM_REPAIRABLE_UNCORRECTED);
            case "stats/hardware/health_status/sram_ecc_err_count" -> Optional.of(EccRegister.SRAM_UNCORRECTED);
            default ->
                Arrays.stream(EccRegister.values())
                        .filter(register -> path.equals("stats/hardware/" + register.fileName()))
                        .findFirst();
        };
    }

    /** Lets a file fail, or show what the driver cannot have, where that was recorded. */
    private void standBefore(String path, Entry entry) {
        if (!(find(root, path) instanceof FileNode file)) {
            return;
        }
        if (entry instanceof Entry.Unreadable unreadable) {
            fault(path, file).fail(errno(unreadable.reason()));
        } else if (entry instanceof Entry.Content recorded) {
            if (file.content() instanceof Content.Recorded content) {
                content.text().set(bytes(recorded));
                endFault(path);
            } else if (Arrays.equals(file.content().bytes(), bytes(recorded))) {
                endFault(path);
            } else {
                fault(path, file).show(bytes(recorded));
            }
        }
    }

    private static Errno errno(String reason) {
        if (reason.equals("timeout")) {
            return Errno.ETIMEDOUT;
        }
        return Arrays.stream(Errno.values())
                .filter(errno -> errno.name().equals(reason))
                .findFirst()
                .orElse(Errno.EIO);
    }

    private RecordedFault fault(String path, FileNode file) {
        return faults.computeIfAbsent(path, none -> {
            RecordedFault fault = new RecordedFault(file.content()::bytes);
            file.faults().add(fault);
            return fault;
        });
    }

    private void endFault(String path) {
        RecordedFault fault = faults.get(path);
        if (fault != null) {
            fault.end();
        }
    }

    // ---- what changes

    /** Lets happen what was recorded to have happened between two looks. */
    void apply(List<Step> steps) {
        Set<Device> back = new LinkedHashSet<>();
        for (Step step : steps) {
            if (step instanceof Step.Gone gone) {
                Device device = devices.get(gone.path());
                if (device != null) {
                    device.remove();
                } else {
                    show(gone.path(), false);
                }
            } else if (step instanceof Step.Changed change) {
                Device device = device(change.path());
                if (device != null && !device.present()) {
                    back.add(device);
                }
                apply(change);
            }
        }
        back.forEach(Device::restore);
    }

    private void apply(Step.Changed change) {
        if (!devices.containsKey(change.path())) {
            show(change.path(), true);
        }
        Map<Counter, Map<Field, Long>> counters = new LinkedHashMap<>();
        change.entries().forEach((name, entry) -> {
            String path = change.path() + '/' + name;
            show(path, !(entry instanceof Entry.Gone));
            OptionalLong value = number(entry);
            if (value.isPresent()
                    && find(root, path) instanceof FileNode file
                    && file.content() instanceof Content.Number number) {
                counters.computeIfAbsent(number.counter(), none -> new EnumMap<>(Field.class))
                        .put(number.field(), value.getAsLong());
            }
        });
        counters.forEach(Counter::replay);
        change.entries().forEach((name, entry) -> tell(change.path() + '/' + name, entry));
        change.entries().forEach((name, entry) -> {
            String path = change.path() + '/' + name;
            Node node = find(root, path);
            if (node instanceof LinkNode link && entry instanceof Entry.Link recorded) {
                link.pointTo(recorded.target());
            }
            if (node instanceof FileNode file && file.isAttribute()) {
                if (entry instanceof Entry.Gone) {
                    // Whoever has it open still.
                    fault(path, file).fail(Errno.ENODEV);
                } else {
                    file.mode(mode(entry));
                    standBefore(path, entry);
                }
                changed.accept(path);
            }
        });
    }

    private void show(String path, boolean shown) {
        int slash = path.lastIndexOf('/');
        String name = path.substring(slash + 1);
        Node above = find(root, path.substring(0, Math.max(slash, 0)));
        if (above instanceof RecordedDirectory directory && directory.deviceOf(name) == null) {
            directory.show(name, shown);
        } else if (above instanceof AttributeDirectory directory) {
            directory.show(name, shown);
        }
    }

    /** The device in whose directory a path is. */
    private @Nullable Device device(String path) {
        if (!path.startsWith(HostFiles.DEVICES + '/')) {
            return null;
        }
        int end = path.indexOf('/', HostFiles.DEVICES.length() + 1);
        return devices.get(end < 0 ? path : path.substring(0, end));
    }

    private static @Nullable Node find(DirectoryNode from, String path) {
        Node here = from;
        for (String name : path.split("/")) {
            if (!(here instanceof DirectoryNode directory)) {
                return null;
            }
            here = directory.child(name, true);
        }
        return here;
    }
}
