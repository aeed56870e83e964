package dev.neurontest.lease.store;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.host.HostTree;
import dev.neurontest.host.NotificationSwitch;
import dev.neurontest.lease.LeaseTableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The driver's notifications, held on by any number of JVMs. Before they are switched, a file beside the table says what was there
 * and which JVMs hold them: a JVM that finds all of these ended puts back what was there.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Notifications implements NotificationSwitch {

    private static final String FILE = "notifications";

    /** One write of always the same length, so that it is whole or not at all. */
    private static final int LENGTH = 4096;

    private static final int WRITES = 3;
    private static final Duration TAKEN_WITHIN = Duration.ofMillis(200);

    private static final String ON = "0";
    private static final String OFF = "-1";

    private final LeaseStore store;
    private final HostTree tree;
    private final String attribute;
    private final Optional<Path> directory;
    private Mark unshared = Mark.NONE;
    private int holds;

    public Notifications(LeaseStore store, NeuronHost host) {
        this.store = store;
        this.tree = host.tree();
        this.attribute = host.devices().get(0).place("info/notify_delay");
        this.directory = store.place();
    }

    /**
     * What is known of a switched flag.
     *
     * @param before what to put back; null when it was on already, or no JVM holds it
     * @param holders the directories of the JVMs
     */
    private record Mark(@Nullable String before, List<String> holders) {

        static final Mark NONE = new Mark(null, List.of());

        static Mark parse(String text) {
            String before = null;
            List<String> holders = new ArrayList<>();
            for (String line : text.split("\n")) {
                String[] words = line.split(" ", 2);
                if (words.length == 2 && words[0].equals("before") && words[1].equals(OFF)) {
                    before = OFF;
                } else if (words.length == 2 && words[0].equals("holder") && isMember(words[1])) {
                    holders.add(words[1]);
                }
            }
            return new Mark(before, holders);
        }

        private static boolean isMember(String name) {
            return name.isEmpty() || Membership.NAME.matcher(name).matches();
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(before == null ? "" : "before " + before + "\n");
            holders.forEach(holder -> text.append("holder ").append(holder).append('\n'));
            return text.toString();
        }
    }

    @Override
    public synchronized Hold on() throws IOException {
        if (holds == 0) {
            alone(this::begin);
        }
        holds++;
        return new Hold() {
            private boolean closed;

            @Override
            public void close() throws IOException {
                synchronized (Notifications.this) {
                    if (!closed) {
                        closed = true;
                        letGo(1);
                    }
                }
            }
        };
    }

    /** Lets go of everything that this JVM still holds. */
    public synchronized void close() throws IOException {
        letGo(holds);
    }

    private void letGo(int some) throws IOException {
        boolean last = holds > 0 && holds == some;
        holds = Math.max(0, holds - some);
        if (last) {
            alone(this::end);
        }
    }

    /**
     * Puts back what a JVM left that ended without doing so.
     *
     * @return what was done, or why not; empty when there was nothing to do
     */
    public Optional<String> recover() {
        if (directory.isEmpty() || !Files.exists(directory.get().resolve(FILE), LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        String[] left = {""};
        try {
            alone(() -> {
                Mark mark = read();
                if (mark.before == null || mark.holders.stream().anyMatch(store::lives)) {
                    return;
                }
                left[0] = String.join(", ", mark.holders);
                set(mark.before);
                write(Mark.NONE);
            });
        } catch (IOException failed) {
            if (left[0].isEmpty()) {
                return Optional.of(
                        "The notifications of the driver stay as they are, because it cannot be read whether a test JVM left them on: %s.%s"
                                .formatted(
                                        TableDirectory.describe(failed),
                                        failed instanceof PlantedFileException
                                                ? " Remove the file while no test runs."
                                                : ""));
            }
            return Optional.of(
                    "The notifications of the driver were left on by a test JVM that ended meanwhile (%s), and cannot be switched off: %s. Write -1 to %s."
                            .formatted(left[0], TableDirectory.describe(failed), tree.location(attribute)));
        }
        return left[0].isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "The notifications of the driver were left on by a test JVM that ended meanwhile (%s); they are off again (%s)."
                                .formatted(left[0], tree.location(attribute)));
    }

    private void begin() {
        Mark known = read();
        List<String> others = known.holders.stream().filter(store::lives).toList();
        Mark next;
        if (!others.isEmpty()) {
            next = known;
        } else if (known.before != null) {
            next = new Mark(known.before, List.of());
        } else {
            next = new Mark(isOn() ? null : OFF, List.of());
        }
        write(new Mark(
                next.before,
                Stream.concat(others.stream(), Stream.of(store.self().directory()))
                        .toList()));
        if (others.isEmpty()) {
            try {
                set(ON);
            } catch (UncheckedIOException refused) {
                write(known);
                throw refused;
            }
        }
    }

    private void end() {
        Mark known = read();
        List<String> others = known.holders.stream()
                .filter(holder -> !holder.equals(store.self().directory()) && store.lives(holder))
                .toList();
        if (others.isEmpty() && known.before != null) {
            set(known.before);
        }
        write(others.isEmpty() ? Mark.NONE : new Mark(known.before, others));
    }

    private boolean isOn() {
        return unchecked(this::flag).equals(ON);
    }

    private String flag() throws IOException {
        return text(tree.read(attribute));
    }

    private static String text(byte[] content) {
        return new String(content, StandardCharsets.ISO_8859_1).strip();
    }

    /**
     * Reads back what it wrote: the driver takes every write, and ignores what it does not understand. Where a host takes note of a
     * write a little later, the file may show for a moment what was written before.
     */
    private void set(String value) {
        unchecked(() -> {
            String taken = "";
            for (int attempt = 0; attempt < WRITES; attempt++) {
                tree.write(attribute, (value + "\n").getBytes(StandardCharsets.US_ASCII));
                byte[] seen = tree.read(attribute);
                taken = text(seen);
                if (!taken.equals(value)) {
                    tree.awaitChange(attribute, seen, TAKEN_WITHIN);
                    taken = flag();
                }
                if (taken.equals(value)) {
                    return value;
                }
            }
            throw new IOException(
                    "%s still reads \"%s\" after \"%s\" was written".formatted(tree.location(attribute), taken, value));
        });
    }

    /** Returns what is wrong with the file; empty when it is such as a JVM makes, or not there. */
    static Optional<PlantedFileException> planted(SharedFolder table) {
        try {
            table.open(FILE).close();
            return Optional.empty();
        } catch (PlantedFileException planted) {
            return Optional.of(planted);
        } catch (IOException unseen) {
            return Optional.empty();
        }
    }

    private Mark read() {
        return directory
                .map(path -> unchecked(() -> {
                    try (SharedFolder folder = SharedFolder.at(path);
                            SharedFile mark = folder.open(FILE)) {
                        return Mark.parse(new String(mark.read(0, LENGTH), StandardCharsets.US_ASCII));
                    } catch (NoSuchFileException nothingWasSwitched) {
                        return Mark.NONE;
                    }
                }))
                .orElse(unshared);
    }

    private void write(Mark mark) {
        if (directory.isEmpty()) {
            unshared = mark;
            return;
        }
        byte[] text = mark.toString().getBytes(StandardCharsets.US_ASCII);
        if (text.length > LENGTH) {
            throw new UncheckedIOException(new IOException("too many JVMs hold the notifications of the driver"));
        }
        byte[] padded = new byte[LENGTH];
        Arrays.fill(padded, (byte) '\n');
        System.arraycopy(text, 0, padded, 0, text.length);
        unchecked(() -> {
            try (SharedFolder folder = SharedFolder.at(directory.get());
                    SharedFile open = folder.openOrCreate(FILE)) {
                open.write(0, padded);
            }
            return mark;
        });
    }

    private interface Io<T> {
        T get() throws IOException;
    }

    private static <T> T unchecked(Io<T> what) {
        try {
            return what.get();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void alone(Runnable what) throws IOException {
        Supplier<Boolean> step = () -> {
            what.run();
            return true;
        };
        // Not every file can be written by an interrupted thread, which a test is after its timeout.
        boolean interrupted = Thread.interrupted();
        try {
            store.alone(step);
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        } catch (LeaseTableException unusable) {
            throw new IOException(unusable.getMessage(), unusable);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
