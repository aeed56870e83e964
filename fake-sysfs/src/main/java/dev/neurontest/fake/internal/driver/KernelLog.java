package dev.neurontest.fake.internal.driver;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apiguardian.api.API;

/**
 * The kernel log as {@code /dev/kmsg} prints it: priority, sequence number, microseconds since boot and flags, joined by commas, then a
 * semicolon and the text. It keeps the last {@value #CAPACITY} records.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class KernelLog {

    static final int CAPACITY = 1000;

    private static final int LONGEST_TEXT = 976;
    private static final Duration BEFORE_THE_DRIVER = Duration.ofMinutes(1);

    private final Clock clock;
    private final Instant booted;
    private final Deque<String> records = new ArrayDeque<>();
    private final Runnable changed;
    private long next;

    /** A priority of facility 0. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Level {
        /** KERN_ERR. */
        ERROR(3),
        /** KERN_INFO. */
        INFO(6);

        private final int priority;

        Level(int priority) {
            this.priority = priority;
        }
    }

    /**
     * Creates an empty log.
     *
     * @param changed called after each message, without a lock
     */
    KernelLog(Clock clock, Runnable changed) {
        this.clock = clock;
        this.booted = clock.instant().minus(BEFORE_THE_DRIVER).truncatedTo(ChronoUnit.SECONDS);
        this.changed = changed;
    }

    /** Returns the time of the boot, in full seconds. */
    public Instant booted() {
        return booted;
    }

    /**
     * Appends a message.
     *
     * @param level the priority
     * @param text the message; cut at 976 bytes, with escapes for bytes that are not printable
     */
    public void print(Level level, String text) {
        synchronized (this) {
            if (records.size() == CAPACITY) {
                records.removeFirst();
            }
            records.addLast(level.priority + "," + next++ + "," + ChronoUnit.MICROS.between(booted, clock.instant())
                    + ",-;" + escaped(text) + "\n");
        }
        changed.run();
    }

    /** Escapes a message as {@code msg_add_ext_text} of {@code printk.c}. */
    private static String escaped(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        StringBuilder escaped = new StringBuilder();
        for (int at = 0; at < Math.min(bytes.length, LONGEST_TEXT); at++) {
            int each = bytes[at] & 0xff;
            if (each < ' ' || each >= 0x7f || each == '\\') {
                escaped.append("\\x")
                        .append(Character.forDigit(each >> 4, 16))
                        .append(Character.forDigit(each & 15, 16));
            } else {
                escaped.append((char) each);
            }
        }
        return escaped.toString();
    }

    /** Returns all records, oldest first, each with a line feed at its end. */
    public synchronized String text() {
        return String.join("", records);
    }
}
