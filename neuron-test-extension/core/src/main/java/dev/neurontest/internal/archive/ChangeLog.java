package dev.neurontest.internal.archive;

import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The timeline of an archive: the changes of the watched files from one reading to the next. One thread reads the files; other threads may
 * query the timeline at the same time.
 */
final class ChangeLog {

    private static final String FULL =
            "there were more changes than a recording keeps: from then on only the last values are correct";

    private final HostPicture picture;
    private final int limit;
    private final List<Device> devices = new ArrayList<>();

    /** Files that are read at every reading, device by device. */
    private final List<WatchedFile> files = new ArrayList<>();

    /** Files that are only read at the first and the last reading. */
    private final List<WatchedFile> slow = new ArrayList<>();

    private final HostTree.Batch batch;
    /** Paths of directories and entries that the archive already contains. */
    private final Set<String> stated = new HashSet<>();

    private final Set<String> marks = new LinkedHashSet<>();
    private final StringBuilder text = new StringBuilder("\ntimeline\n");
    private Instant begun = Instant.now();
    private long start = System.nanoTime();
    private long last = start;
    private long readings;
    private long changes;
    private boolean full;
    private boolean closed;

    private static final class Device {

        private final String path;
        private final List<WatchedFile> files = new ArrayList<>();
        private final List<WatchedFile> slow = new ArrayList<>();
        private boolean isGone;

        Device(String path) {
            this.path = path;
        }
    }

    private static final class WatchedFile {

        private final Directory directory;
        private final String name;
        private final int mode;
        private Entry first;
        private Entry known;
        private @Nullable Entry fresh;

        WatchedFile(Directory directory, String name, Entry entry) {
            this.directory = directory;
            this.name = name;
            this.mode = entry instanceof Entry.Content file ? file.mode() : ((Entry.Unreadable) entry).mode();
            this.first = entry;
            this.known = entry;
        }

        String path() {
            return directory.path() + "/" + name;
        }

        /** Stores a new value only, because most files keep their content. */
        void read(byte[] buffer, int length) {
            boolean same = known instanceof Entry.Content content
                    && Arrays.equals(content.content(), 0, content.content().length, buffer, 0, length);
            fresh = same ? null : new Entry.Content(mode, Arrays.copyOf(buffer, length));
        }

        void failed(String reason) {
            Entry entry = reason.equals(ReadFailure.ABSENT) ? new Entry.Gone() : new Entry.Unreadable(mode, reason);
            fresh = entry.equals(known) ? null : entry;
        }

        boolean isReadable() {
            return (fresh == null ? known : fresh) instanceof Entry.Content;
        }
    }

    /**
     * Creates a timeline of the files of devices that can change.
     *
     * @param watched filter of devices by name, such as {@code neuron0}
     * @param limit maximum number of characters; the changes of marks and of the last reading are added to it
     */
    ChangeLog(HostPicture picture, Predicate<String> watched, int limit) {
        this.picture = picture;
        this.limit = limit;
        String inDevices = HostPicture.DEVICES + "/";
        Map<String, Device> byName = new LinkedHashMap<>();
        for (Directory directory : picture.directories()) {
            stated.add(directory.path());
            directory.entries().keySet().forEach(name -> stated.add(directory.path() + "/" + name));
            if (directory.path().startsWith(inDevices)) {
                String device = directory.path().substring(inDevices.length()).split("/", 2)[0];
                if (watched.test(device)) {
                    watch(directory, byName.computeIfAbsent(device, name -> new Device(inDevices + name)));
                }
            }
        }
        devices.addAll(byName.values());
        for (Device device : devices) {
            files.addAll(device.files);
            slow.addAll(device.slow);
        }
        batch = picture.tree().prepare(files.stream().map(WatchedFile::path).toList());
    }

    private void watch(Directory directory, Device device) {
        directory.entries().forEach((name, entry) -> {
            if (canChange(entry)) {
                WatchedFile file = new WatchedFile(directory, name, entry);
                if (!picture.slow().contains(file.path())) {
                    device.files.add(file);
                } else if (entry instanceof Entry.Content) {
                    device.slow.add(file);
                }
            }
        });
    }

    /** Checks whether an entry can change. A file without read permission will not become readable; a file that fails may recover. */
    private static boolean canChange(Entry entry) {
        return entry instanceof Entry.Content
                || entry instanceof Entry.Unreadable failed && !failed.reason().equals(ReadFailure.DENIED);
    }

    /** Takes the first reading; the archive begins with its values. */
    void begin() throws IOException {
        read();
        readSlow();
        synchronized (this) {
            begun = Instant.now();
            if (marks.isEmpty()) {
                // A mark that did not wait for this reading already has a time.
                start = System.nanoTime();
                last = start;
            }
            readings++;
            for (WatchedFile file : allFiles()) {
                if (file.fresh != null && !(file.fresh instanceof Entry.Gone)) {
                    file.known = file.fresh;
                    file.first = file.fresh;
                }
                file.fresh = null;
            }
        }
    }

    /** Takes a reading and writes the changes, unless the limit is reached. */
    void readFiles() {
        synchronized (this) {
            if (full) {
                return;
            }
        }
        read();
        write(List.of());
        synchronized (this) {
            full = text.length() > limit;
        }
    }

    /** Takes a reading even beyond the limit, and names the moment. */
    void mark(List<String> words) {
        read();
        write(words);
    }

    /** Names the moment without a reading. */
    synchronized void markOnly(List<String> words) {
        if (!closed) {
            last = System.nanoTime();
        }
        append("", words);
    }

    void finalReading() throws IOException {
        read();
        readSlow();
        write(List.of());
    }

    /** Closes the timeline; changes of a late reading are discarded. */
    synchronized void close() {
        closed = true;
    }

    private List<WatchedFile> allFiles() {
        List<WatchedFile> all = new ArrayList<>(files);
        all.addAll(slow);
        return all;
    }

    private void read() {
        batch.read(new HostTree.Sink() {
            @Override
            public void content(int index, byte[] buffer, int length) {
                files.get(index).read(buffer, length);
            }

            @Override
            public void failed(int index, IOException cause) {
                files.get(index).failed(ReadFailure.of(cause));
            }
        });
    }

    private void readSlow() throws InterruptedIOException {
        Walk walk = new Walk(picture.tree());
        for (WatchedFile file : slow) {
            @Nullable Entry entry = walk.file(file.path()).orElse(null);
            if (entry instanceof Entry.Content content) {
                file.read(content.content(), content.content().length);
            } else {
                file.failed(entry instanceof Entry.Unreadable failed ? failed.reason() : ReadFailure.ABSENT);
            }
        }
    }

    private void write(List<String> words) {
        StringBuilder changed = new StringBuilder();
        List<Device> returned = new ArrayList<>();
        for (Device device : devices) {
            boolean isGone = isGone(device);
            if (isGone && !device.isGone) {
                changed.append("gone ").append(ArchiveText.name(device.path)).append('\n');
            } else if (!isGone && device.isGone) {
                returned.add(device);
            }
            device.isGone = isGone;
        }
        returned.forEach(device -> changed.append(everythingIn(device)));
        synchronized (this) {
            if (!closed) {
                last = System.nanoTime();
                readings++;
                append(changed + changes(returned), words);
            }
        }
    }

    /** Checks whether a device is gone. The directory is only queried if none of its files is readable. */
    private boolean isGone(Device device) {
        return device.files.stream().noneMatch(WatchedFile::isReadable)
                && !picture.tree().exists(device.path);
    }

    private String everythingIn(Device device) {
        StringBuilder lines = new StringBuilder();
        try {
            new Walk(picture.tree())
                    .below(device.path)
                    .forEach(directory -> lines.append(directory.text(picture.redacts(), stated)));
        } catch (IOException interrupted) {
            Thread.currentThread().interrupt();
        }
        return lines.toString();
    }

    private String changes(List<Device> returned) {
        StringBuilder lines = new StringBuilder();
        for (Device device : devices) {
            boolean reported = device.isGone || returned.contains(device);
            lines.append(changes(device.files, reported)).append(changes(device.slow, reported));
        }
        return lines.toString();
    }

    private String changes(List<WatchedFile> among, boolean reported) {
        StringBuilder lines = new StringBuilder();
        @Nullable Directory written = null;
        for (WatchedFile file : among) {
            Entry entry = file.fresh;
            if (entry == null) {
                continue;
            }
            file.known = entry;
            file.fresh = null;
            changes++;
            if (!reported) {
                if (file.directory != written) {
                    lines.append(file.directory.line());
                    written = file.directory;
                }
                lines.append(Directory.line(file.name, entry, picture.redacts()));
            }
        }
        return lines.toString();
    }

    private void append(String changed, List<String> words) {
        List<String> unused = words.stream().filter(marks::add).toList();
        if (!changed.isEmpty() || !unused.isEmpty()) {
            text.append(at()).append(changed);
        }
        unused.forEach(each -> text.append(mark(each)));
    }

    private static String mark(String words) {
        return "mark " + ArchiveText.words(words) + '\n';
    }

    /** Returns the picture of the first reading. */
    synchronized HostPicture first() {
        Map<String, Map<String, Entry>> values = new HashMap<>();
        allFiles()
                .forEach(file -> values.computeIfAbsent(file.directory.path(), path -> new HashMap<>())
                        .put(file.name, file.first));
        return picture.with(values, begun);
    }

    /**
     * Returns the text of the timeline, with its gaps.
     *
     * @param trouble description of a failed reading; null when none failed
     */
    synchronized String timeline(@Nullable String trouble) {
        List<String> missing = new ArrayList<>();
        if (trouble != null) {
            missing.add("incomplete " + trouble);
        }
        if (full) {
            missing.add("incomplete " + FULL);
        }
        if (!slow.isEmpty()) {
            missing.add("seldom " + slowFiles());
        }
        return missing.isEmpty()
                ? text.toString()
                : text + at() + missing.stream().map(ChangeLog::mark).collect(Collectors.joining());
    }

    private String at() {
        return "at " + ArchiveText.seconds(Duration.ofNanos(last - start)) + '\n';
    }

    private String slowFiles() {
        return "files that take more than %s ms to read were read only at the beginning and at the end: %s%s"
                .formatted(Walk.SLOW.toMillis(), slow.get(0).path(), slow.size() == 1 ? "" : " and others");
    }

    /**
     * Returns the statistics of the timeline.
     *
     * @param trouble description of a failed reading; null when none failed
     */
    synchronized HostArchive.Coverage coverage(@Nullable String trouble) {
        @Nullable String shortfall = trouble;
        if (shortfall == null && full) {
            shortfall = FULL;
        }
        if (shortfall == null && !slow.isEmpty()) {
            shortfall = slowFiles();
        }
        return new HostArchive.Coverage(
                files.size() + slow.size(), readings, changes, Duration.ofNanos(last - start), shortfall);
    }
}
