package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.internal.archive.Archive;
import dev.neurontest.fake.internal.archive.Entry;
import dev.neurontest.fake.internal.archive.Step;
import dev.neurontest.fake.internal.driver.Counter;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.Field;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Replay of a recording on a host. Values that the driver stores are set in the driver, all others in the files. */
final class HostReplay {

    private final RecordedFiles files;
    private final Map<String, RecordedFault> faults = new ConcurrentHashMap<>();
    private final Driver driver;

    private HostReplay(Driver driver, RecordedFiles files) {
        this.driver = driver;
        this.files = files;
    }

    /** Creates a replay and applies the beginning of the archive. */
    static HostReplay of(Archive archive, Layout layout, Driver driver) {
        HostReplay replay = new HostReplay(driver, new RecordedFiles(archive, layout, driver));
        replay.apply(archive.beginning());
        return replay;
    }

    DirectoryNode root() {
        return files.root();
    }

    void apply(List<Step> steps) {
        Set<Device> back = new LinkedHashSet<>();
        for (Step step : steps) {
            if (step instanceof Step.Gone gone) {
                for (Device device : files.devicesIn(gone.path())) {
                    device.remove();
                    back.remove(device);
                }
                if (!files.isDevice(gone.path())) {
                    files.show(gone.path(), false);
                }
            } else if (step instanceof Step.Changed change) {
                Device device = files.device(change.path());
                if (device != null && !device.present()) {
                    back.add(device);
                }
                showEntries(change);
                applyDriver(change);
            }
        }
        // This happens last, because some files show the values of others.
        steps.forEach(step -> {
            if (step instanceof Step.Changed change) {
                change.entries().forEach((name, entry) -> set(change.path() + '/' + name, entry));
            }
        });
        back.forEach(Device::restore);
    }

    /**
     * Shows the entries of a directory. It also shows the directories above, because a recording does not always list them and they
     * might be hidden.
     */
    private void showEntries(Step.Changed change) {
        String path = change.path();
        for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
            files.show(path.substring(0, end), true);
        }
        files.show(path, true);
        change.entries()
                .forEach((name, entry) -> files.show(change.path() + '/' + name, !(entry instanceof Entry.Gone)));
    }

    // ---- the driver

    private void applyDriver(Step.Changed change) {
        Map<Counter, Map<Field, Long>> counters = new LinkedHashMap<>();
        change.entries().forEach((name, entry) -> {
            if (!(entry instanceof Entry.Content recorded)
                    || !(files.find(change.path() + '/' + name) instanceof FileNode file)) {
                return;
            }
            if (file.content() instanceof Content.Number number) {
                OptionalLong value = Decimal.parse(recorded.content());
                if (value.isPresent()) {
                    counters.computeIfAbsent(number.counter(), none -> new EnumMap<>(Field.class))
                            .put(number.field(), value.getAsLong());
                }
            } else if (file.content() instanceof Content.Text text && text.replay() != null) {
                text.replay().accept(recorded.content());
            }
        });
        counters.forEach(Counter::replay);
    }

    // ---- the files

    private void set(String path, Entry entry) {
        Node node = files.find(path);
        if (node instanceof LinkNode link && entry instanceof Entry.Link recorded) {
            link.pointTo(recorded.target());
        } else if (node instanceof FileNode file && file.isAttribute()) {
            set(path, file, entry);
            driver.fileChanged(path);
        }
    }

    private void set(String path, FileNode file, Entry entry) {
        if (entry instanceof Entry.Gone) {
            // For readers that still have the file open.
            fault(path, file).fail(Errno.ENODEV);
            return;
        }
        file.mode(entry.mode());
        if (entry instanceof Entry.Unreadable unreadable) {
            fault(path, file).fail(errno(unreadable.reason()));
        } else if (file.content() instanceof Content.Recorded content) {
            content.become(RecordedFiles.bytes(entry));
            endFault(path);
        } else if (RecordedFiles.holdsNumbers(path)
                || Arrays.equals(file.content().bytes(), RecordedFiles.bytes(entry))) {
            endFault(path);
        } else {
            fault(path, file).show(RecordedFiles.bytes(entry));
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
}
