package dev.neurontest.print.stream;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.GivenFeed;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.TensorBytes;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The last events of each test that runs, in mapped files, so that they are left when this process is killed or aborts inside of
 * libnrt. What was copied into a mapping is with the operating system. A file has room for few events, and of each for its beginning; it
 * is made when a test gets its first event, and serves one test after the other. It is written as a whole before it is mapped, so that
 * a full disk is seen then; a program that cuts the file meanwhile breaks the thread that writes into it.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LastPrints implements AutoCloseable {

    /** How the name of a file ends. */
    public static final String SUFFIX = ".prints";

    static final int EVENTS = 64;

    /** Of an event: what its header says, then the beginning of its payload; of a print without what is empty and what is reserved. */
    private static final int SLOT = 4096;

    private static final int NUMBER = 0;
    private static final int ARRIVED = 8;
    private static final int CORE = 16;
    private static final int CONTENT = 20;
    private static final int TYPE = 24;
    private static final int PROMISED = 32;
    private static final int THERE = 40;
    private static final int PREFIX = 48;
    private static final int PAYLOAD = 56;

    /** Instead of the length of a prefix: what follows is a payload as it came. */
    private static final int RAW = -1;

    private static final int FIELDS = PrintLayout.RESERVED - PrintLayout.CORE;

    /** Of the values of a tensor, whatever its prefix. */
    static final int VALUES = SLOT - PAYLOAD - PrintLayout.PREFIX_SIZE - FIELDS;

    /** Of the file: magic, length of the id of the test or 0 without one, the id. */
    private static final int HEAD = 4096;

    private static final long MAGIC = 0x31_53_54_4e_52_50_54_4eL;
    private static final int LENGTH = 8;
    private static final int TEST = 16;
    private static final int SIZE = HEAD + EVENTS * SLOT;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final TensorBytes NOTHING = TensorBytes.of(new byte[0]);

    private final Supplier<Path> files;
    private final Consumer<String> problems;
    private final Deque<Kept> free = new ArrayDeque<>();
    private boolean broken;
    private boolean closed;

    private record Kept(Path path, MappedByteBuffer bytes) {}

    /**
     * Makes nothing yet.
     *
     * @param files names another file that is not there yet, in a folder that is
     * @param problems told once when none can be made
     */
    public LastPrints(Supplier<Path> files, Consumer<String> problems) {
        this.files = files;
        this.problems = problems;
    }

    /**
     * Prepares for a test.
     *
     * @param test its id, which is cut when it is very long
     * @return keeps its last events; to be told when they are recorded elsewhere
     */
    public Recorder begin(String test) {
        return new Recorder(test);
    }

    /** The last events of one test. For several threads. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public final class Recorder {

        private final String test;
        private final ByteBuffer scratch = ByteBuffer.allocate(SLOT).order(ByteOrder.LITTLE_ENDIAN);
        private @Nullable Kept file;
        private boolean over;

        private Recorder(String test) {
            this.test = test;
        }

        /**
         * Keeps the beginning of an event.
         *
         * @param order of arrival, from 0
         * @param arrived milliseconds since 1970
         * @param there bytes of the payload that came
         * @param payload where these begin, as far as they are there
         * @param at where in it
         */
        synchronized void keep(
                long order, long arrived, int core, long type, long promised, long there, ByteBuffer payload, int at) {
            Kept into = over ? null : file();
            if (into == null) {
                return;
            }
            int slot = HEAD + (int) (order % EVENTS) * SLOT;
            boolean isPrint = type == DevicePrint.EVENT_TYPE && there >= PrintLayout.DATA;
            int prefix = isPrint ? prefix(payload, at) : RAW;
            int content = isPrint ? print(payload, at, prefix, there) : raw(payload, at, there);
            scratch.putLong(ARRIVED, arrived);
            scratch.putInt(CORE, core);
            scratch.putInt(CONTENT, content);
            scratch.putLong(TYPE, type);
            scratch.putLong(PROMISED, promised);
            scratch.putLong(THERE, there);
            scratch.putInt(PREFIX, prefix);
            // Its number comes last: a slot in which this process was killed has none.
            LONG.setRelease(into.bytes(), slot + NUMBER, 0L);
            VarHandle.storeStoreFence();
            into.bytes().put(slot + ARRIVED, scratch.array(), ARRIVED, PAYLOAD - ARRIVED + content);
            LONG.setRelease(into.bytes(), slot + NUMBER, order + 1);
        }

        private static int prefix(ByteBuffer payload, int at) {
            int length = 0;
            while (length < PrintLayout.PREFIX_SIZE && payload.get(at + length) != 0) {
                length++;
            }
            return length;
        }

        private int print(ByteBuffer payload, int at, int prefix, long there) {
            int values = (int) Math.min(there - PrintLayout.DATA, VALUES);
            values = Math.min(values, payload.limit() - at - PrintLayout.DATA);
            byte[] bytes = scratch.array();
            payload.get(at, bytes, PAYLOAD, prefix);
            payload.get(at + PrintLayout.CORE, bytes, PAYLOAD + prefix, FIELDS);
            payload.get(at + PrintLayout.DATA, bytes, PAYLOAD + prefix + FIELDS, values);
            return prefix + FIELDS + values;
        }

        private int raw(ByteBuffer payload, int at, long there) {
            int length = (int) Math.min(Math.min(there, SLOT - PAYLOAD), payload.limit() - at);
            payload.get(at, scratch.array(), PAYLOAD, length);
            return length;
        }

        private @Nullable Kept file() {
            if (file == null) {
                file = take(test);
                over = file == null;
            }
            return file;
        }

        /** They are recorded elsewhere, and no more come. May be called again. */
        public synchronized void forget() {
            over = true;
            if (file != null) {
                give(file);
                file = null;
            }
        }
    }

    private synchronized @Nullable Kept take(String test) {
        Kept taken = free.poll();
        if (taken == null) {
            taken = broken || closed ? null : made();
        }
        if (taken != null) {
            MappedByteBuffer bytes = taken.bytes();
            for (int slot = 0; slot < EVENTS; slot++) {
                bytes.putLong(HEAD + slot * SLOT + NUMBER, 0);
            }
            byte[] id = test.getBytes(StandardCharsets.UTF_8);
            int length = Math.min(id.length, HEAD - TEST);
            bytes.put(TEST, id, 0, length);
            LONG.setRelease(bytes, LENGTH, (long) length);
        }
        return taken;
    }

    private synchronized void give(Kept file) {
        LONG.setRelease(file.bytes(), LENGTH, 0L);
        if (closed) {
            delete(file);
        } else {
            free.push(file);
        }
    }

    /** All of it is written once: a mapping of a file with holes faults where the disk is full. */
    private @Nullable Kept made() {
        try {
            Path path = files.get();
            try (FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return new Kept(path, mapped(channel));
            } catch (IOException | RuntimeException | OutOfMemoryError unusable) {
                Files.deleteIfExists(path);
                throw unusable;
            }
        } catch (IOException | RuntimeException | OutOfMemoryError unusable) {
            broken = true;
            problems.accept(
                    "The last device prints of running tests cannot be kept in a file: %s. When this JVM is killed, they are lost."
                            .formatted(unusable));
            return null;
        }
    }

    private static MappedByteBuffer mapped(FileChannel channel) throws IOException {
        ByteBuffer empty =
                ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN).putLong(0, MAGIC);
        while (empty.hasRemaining()) {
            channel.write(empty);
        }
        MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        return bytes;
    }

    /** Deletes the files, but for those of tests that still run. */
    @Override
    public synchronized void close() {
        closed = true;
        free.forEach(LastPrints::delete);
        free.clear();
    }

    private static void delete(Kept file) {
        try {
            Files.deleteIfExists(file.path());
        } catch (IOException stays) {
            // It has no test any more, so that it says nothing.
        }
    }

    /**
     * What a test had printed when its JVM ended.
     *
     * @param test its id, cut as it was written
     * @param events how many had come in all
     * @param prints the last ones, of large tensors the beginning
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Left(String test, long events, DevicePrints prints) {

        /**
         * Whether it is of this test.
         *
         * @param id of the test
         * @return also when the id was cut
         */
        public boolean isOf(String id) {
            return test.equals(cut(id));
        }

        private static String cut(String id) {
            byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
            return new String(bytes, 0, Math.min(bytes.length, HEAD - TEST), StandardCharsets.UTF_8);
        }
    }

    /**
     * Looks what a JVM has left beside its run file. Links are not followed, and what is no such file is left out.
     *
     * @param runFile {@code run-<pid>-<uuid>.jsonl}
     * @return one for each test that was running and had printed
     */
    public static List<Left> leftBy(Path runFile) {
        Path absolute = runFile.toAbsolutePath();
        String start = String.valueOf(absolute.getFileName()).replace(".jsonl", "") + ".";
        List<Left> left = new ArrayList<>();
        try (DirectoryStream<Path> beside = Files.newDirectoryStream(absolute.getParent(), file -> {
            String name = file.getFileName().toString();
            return name.startsWith(start) && name.endsWith(SUFFIX);
        })) {
            for (Path file : beside) {
                read(file).ifPresent(left::add);
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException unreadable) {
            return left;
        }
        left.sort(Comparator.comparing(Left::test));
        return left;
    }

    private static Optional<Left> read(Path file) {
        // Opening a pipe would wait for a writer.
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            if (channel.size() != SIZE) {
                return Optional.empty();
            }
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Until it is full, or the file ends early.
            }
        } catch (NoSuchFileException ended) {
            return Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
        long length = bytes.getLong(LENGTH);
        boolean valid = !bytes.hasRemaining() && bytes.getLong(0) == MAGIC && length > 0 && length <= HEAD - TEST;
        return valid ? Optional.of(left(bytes, (int) length)) : Optional.empty();
    }

    private static Left left(ByteBuffer bytes, int length) {
        String test = new String(bytes.array(), TEST, length, StandardCharsets.UTF_8);
        List<Integer> slots = new ArrayList<>();
        for (int slot = HEAD; slot < SIZE; slot += SLOT) {
            if (bytes.getLong(slot + NUMBER) > 0 && isWhole(bytes, slot)) {
                slots.add(slot);
            }
        }
        slots.sort(Comparator.comparingLong(slot -> bytes.getLong(slot + NUMBER)));
        List<DevicePrint> prints = new ArrayList<>();
        List<OddEvent> odd = new ArrayList<>();
        slots.forEach(slot -> event(bytes, slot, prints, odd));
        long events = slots.isEmpty() ? 0 : bytes.getLong(slots.get(slots.size() - 1) + NUMBER);
        PrintDoubt doubt = new PrintDoubt(
                PrintDoubt.Kind.UNSETTLED,
                "The JVM ended while the test ran: of at least %s events that had arrived, these are the last %s, with the first %s bytes of their values. What it had not yet read is lost."
                        .formatted(events, slots.size(), VALUES));
        return new Left(
                test, events, DevicePrints.of(new GivenFeed(prints, odd, List.of(doubt), List.of(), false), List.of()));
    }

    private static boolean isWhole(ByteBuffer bytes, int slot) {
        int content = bytes.getInt(slot + CONTENT);
        int prefix = bytes.getInt(slot + PREFIX);
        return content >= 0
                && content <= SLOT - PAYLOAD
                && (prefix == RAW || prefix >= 0 && prefix <= PrintLayout.PREFIX_SIZE && prefix + FIELDS <= content);
    }

    /** The payload as it came, with zeros for what was not kept of its fixed part. */
    private static ByteBuffer payload(ByteBuffer bytes, int slot) {
        int content = bytes.getInt(slot + CONTENT);
        int prefix = bytes.getInt(slot + PREFIX);
        if (prefix == RAW) {
            return bytes.slice(slot + PAYLOAD, content).order(ByteOrder.LITTLE_ENDIAN);
        }
        int from = slot + PAYLOAD + prefix;
        int values = content - prefix - FIELDS;
        return ByteBuffer.allocate(PrintLayout.DATA + values)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, bytes, slot + PAYLOAD, prefix)
                .put(PrintLayout.CORE, bytes, from, FIELDS)
                .put(PrintLayout.DATA, bytes, from + FIELDS, values);
    }

    private static void event(ByteBuffer bytes, int slot, List<DevicePrint> prints, List<OddEvent> odd) {
        ByteBuffer payload = payload(bytes, slot);
        long there = bytes.getLong(slot + THERE);
        long type = bytes.getLong(slot + TYPE);
        Instant arrived = Instant.ofEpochMilli(bytes.getLong(slot + ARRIVED));
        long order = bytes.getLong(slot + NUMBER) - 1;
        int core = bytes.getInt(slot + CORE);
        boolean isPrint = bytes.getInt(slot + PREFIX) != RAW
                && there == bytes.getLong(slot + PROMISED)
                && PrintLayout.fault(payload, 0, there, new ElementWidths()) == null;
        if (isPrint) {
            int data = (int) Math.min(PrintLayout.dataSize(payload, 0), payload.limit() - PrintLayout.DATA);
            prints.add(PrintLayout.decode(
                    order,
                    arrived,
                    PrintOrigin.LEFT,
                    core,
                    payload,
                    0,
                    TensorBytes.of(payload.slice(PrintLayout.DATA, data)),
                    NOTHING));
        } else {
            odd.add(new OddEvent(
                    order,
                    arrived,
                    PrintOrigin.LEFT,
                    core,
                    type,
                    "it is no print",
                    Optional.empty(),
                    NOTHING,
                    TensorBytes.of(payload)));
        }
    }
}
