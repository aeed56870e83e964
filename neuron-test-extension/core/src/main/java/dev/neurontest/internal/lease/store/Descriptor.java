package dev.neurontest.internal.lease.store;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The path below {@code /proc/self/fd} of an open file or directory of this JVM. The kernel resolves a path that begins there
 * from the open file, even if its name has changed. Reading attributes is {@code fstat}, setting the mode is {@code fchmod}, and
 * opening a name below it is {@code openat}.
 *
 * <p>Java hides the number of a descriptor. This class sets a channel to a unique position and finds the number with that
 * position in {@code /proc/self/fdinfo}.
 */
final class Descriptor {

    private static final String INFORMATION = "/proc/self/fdinfo";
    private static final String DESCRIPTORS = "/proc/self/fd";

    /** The largest position that every file system accepts for a directory. */
    private static final int POSITIONS = Integer.MAX_VALUE;

    private static final int SMALLEST_POSITION = 1 << 20;
    private static final int ATTEMPTS = 10;

    /** The number that was found last. The kernel assigns the lowest free number, so it is often the same. */
    private static volatile String last = "0";

    private Descriptor() {}

    /** An action that ends when its thread is interrupted, and that can be repeated. */
    interface Repeatable<T> {
        T attempt() throws IOException;
    }

    /**
     * Executes an action without the interrupt of this thread, because Java closes a channel when the thread that uses it is
     * interrupted. The interrupt is restored afterwards.
     */
    static <T> T uninterrupted(Repeatable<T> action) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return action.attempt();
                } catch (ClosedByInterruptException closed) {
                    interrupted = true;
                    Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Returns the path of the open file of a channel. It is valid while the channel is open. This method changes the channel's
     * position.
     */
    static Path of(FileChannel open) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long position = place(open);
            String number = has(last, position) ? last : search(position);
            // A second position excludes a descriptor that happened to be at the first position.
            if (!number.isEmpty() && has(number, place(open))) {
                last = number;
                return Path.of(DESCRIPTORS, number);
            }
        }
        throw new IOException(INFORMATION + " does not show the files that this JVM has open");
    }

    private static long place(FileChannel open) throws IOException {
        long position = ThreadLocalRandom.current().nextInt(SMALLEST_POSITION, POSITIONS);
        open.position(position);
        return position;
    }

    private static String search(long position) {
        String[] numbers = new File(INFORMATION).list();
        // The last files were opened last, unless a lower number was free.
        for (int index = numbers == null ? -1 : numbers.length - 1; index >= 0; index--) {
            if (has(numbers[index], position)) {
                return numbers[index];
            }
        }
        return "";
    }

    private static boolean has(String number, long position) {
        return value(number, "pos:").equals(Long.toString(position));
    }

    /** Returns the mount id of an open file or directory; empty if the kernel does not show it. */
    static OptionalLong mount(Path descriptor) {
        String value = value(String.valueOf(descriptor.getFileName()), "mnt_id:");
        return value.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
    }

    private static String value(String number, String key) {
        try (BufferedReader lines =
                new BufferedReader(new FileReader(new File(INFORMATION, number), StandardCharsets.US_ASCII), 256)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(key)) {
                    return line.substring(key.length()).strip();
                }
            }
            return "";
        } catch (IOException closed) {
            return "";
        }
    }
}
