package dev.neurontest.fake.archive;

import dev.neurontest.fake.files.FakeTree;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/** Records the files of a host, once or for a while. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostRecorder {

    private static final String PRODUCT = "sys/devices/virtual/dmi/id/product_name";
    private static final String VERSION = "sys/module/neuron/version";
    private static final String WRITER = "fake-sysfs 0.1";
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final HostRoot root;
    private final boolean machine;
    private final Clock clock;
    private final CountDownLatch enough = new CountDownLatch(1);
    private final boolean redacting;
    private final BoundedReads reads;

    private HostRecorder(HostRoot root, boolean machine, Clock clock, boolean redacting, Duration limit) {
        this.root = root;
        this.machine = machine;
        this.clock = clock;
        this.redacting = redacting;
        this.reads = new BoundedReads(root, limit);
    }

    /**
     * Records a fake host.
     *
     * @param tree its files
     * @param clock its time
     * @param redacting whether serial numbers are replaced by zeros
     * @return a recorder
     */
    public static HostRecorder of(FakeTree tree, Clock clock, boolean redacting) {
        return new HostRecorder(new HostRoot.OfTree(tree), false, clock, redacting, LIMIT);
    }

    /**
     * Records the host that a directory is the root of.
     *
     * @param directory {@code /} for this machine
     * @param redacting whether serial numbers are replaced by zeros and the name of the machine is left out
     * @return a recorder
     */
    public static HostRecorder of(Path directory, boolean redacting) {
        Path absolute = directory.toAbsolutePath().normalize();
        boolean machine = absolute.equals(absolute.getRoot());
        return new HostRecorder(new HostRoot.OfFiles(absolute), machine, Clock.systemUTC(), redacting, LIMIT);
    }

    static HostRecorder of(HostRoot root, Clock clock, Duration limit) {
        return new HostRecorder(root, false, clock, false, limit);
    }

    /**
     * Records what is there now.
     *
     * @param file is replaced when the archive is complete
     * @throws IOException when there is no host to record, or the file cannot be written
     * @throws InterruptedException when the thread is interrupted meanwhile
     */
    public void record(Path file) throws IOException, InterruptedException {
        record(file, Duration.ZERO, Duration.ZERO);
    }

    /**
     * Records what is there now and what changes from now on.
     *
     * @param file is replaced when the archive is complete
     * @param duration how long to look
     * @param interval between the beginnings of two looks
     * @throws IOException when there is no host to record, or the file cannot be written
     * @throws InterruptedException when the thread is interrupted meanwhile
     */
    public void record(Path file, Duration duration, Duration interval) throws IOException, InterruptedException {
        Path target = file.toAbsolutePath();
        if (Files.isDirectory(target)) {
            throw new IOException(file + " is a directory; name a file to be made");
        }
        if (!Files.isDirectory(target.getParent())) {
            throw new IOException("there is no directory " + target.getParent() + " to write to; make it first");
        }
        Instant begin = clock.instant();
        Map<String, Archive.Directory> now = HostWalk.through(root, reads, redacting);
        if (now.isEmpty()) {
            throw new IOException(
                    "there is no Neuron host to record: none of " + String.join(", ", Archive.ROOTS) + " is there");
        }
        Path half = target.resolveSibling("." + target.getFileName() + "-" + UUID.randomUUID() + ".part");
        try {
            try (Writer out = Files.newBufferedWriter(half, StandardCharsets.US_ASCII, StandardOpenOption.CREATE_NEW)) {
                ArchiveText text = new ArchiveText(out);
                text.header(header(begin, now, duration.isZero() ? Duration.ZERO : interval));
                text.directories(now);
                if (!duration.isZero()) {
                    text.timeline();
                    follow(text, now, duration, interval);
                }
                text.end();
            }
            Files.move(half, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(half);
        }
    }

    private void follow(ArchiveText text, Map<String, Archive.Directory> first, Duration duration, Duration interval)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Map<String, Archive.Directory> before = first;
        for (long next = begin + interval.toNanos();
                next - begin <= duration.toNanos();
                next = Math.max(next + interval.toNanos(), System.nanoTime())) {
            boolean last = enough.await(next - System.nanoTime(), TimeUnit.NANOSECONDS);
            Duration at = Duration.ofNanos(System.nanoTime() - begin);
            Map<String, Archive.Directory> now = HostWalk.through(root, reads, redacting);
            List<Step> steps = changes(before, now);
            if (!steps.isEmpty()) {
                text.look(new Archive.Look(at, steps));
            }
            before = now;
            if (last) {
                return;
            }
        }
    }

    /** Ends a recording early: it looks once more, and the file is complete. */
    public void end() {
        enough.countDown();
    }

    /** What leads from one state to another. */
    static List<Step> changes(Map<String, Archive.Directory> before, Map<String, Archive.Directory> now) {
        List<Step> steps = new ArrayList<>();
        String gone = "/";
        for (String path : before.keySet()) {
            // What is in a directory that is gone goes with it.
            if (!now.containsKey(path) && !path.startsWith(gone)) {
                steps.add(new Step.Gone(path));
                gone = path + '/';
            }
        }
        now.forEach((path, directory) -> {
            Archive.Directory old = before.get(path);
            if (old == null) {
                steps.add(new Step.Changed(path, directory.mode(), directory.entries()));
                return;
            }
            Map<String, Entry> changed = new LinkedHashMap<>();
            old.entries().keySet().stream()
                    .filter(name -> !directory.entries().containsKey(name))
                    .forEach(name -> changed.put(name, new Entry.Gone()));
            directory.entries().forEach((name, entry) -> {
                if (!entry.equals(old.entries().get(name))) {
                    changed.put(name, entry);
                }
            });
            if (!changed.isEmpty() || old.mode() != directory.mode()) {
                steps.add(new Step.Changed(path, directory.mode(), changed));
            }
        });
        return steps;
    }

    private Map<String, String> header(Instant begin, Map<String, Archive.Directory> now, Duration interval) {
        Map<String, String> header = new LinkedHashMap<>();
        header.put("recorded", TIME.format(begin));
        header.put("writer", WRITER);
        if (machine && !redacting) {
            try {
                header.put("host-name", InetAddress.getLocalHost().getHostName());
            } catch (UnknownHostException e) {
                // A machine that does not know its own name has none to tell.
            }
        }
        Archive archive = new Archive(Map.of(), now, List.of());
        archive.text(PRODUCT).ifPresent(name -> header.put("instance-type", name));
        archive.text(VERSION).ifPresent(version -> header.put("driver-version", version));
        if (redacting) {
            header.put("redacted", machine ? "host-name serial_number" : "serial_number");
        }
        if (!interval.isZero()) {
            header.put("interval", ArchiveText.seconds(interval));
        }
        return header;
    }
}
