package dev.neurontest.internal.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The silent files of a tree: a thread still waits for each of them. They are not read again before they have answered. */
final class SilentFiles {

    /** Maximum number of abandoned threads. At this number no file of the tree is read. */
    private static final int MOST = 64;

    private final Duration limit;
    private final Predicate<Path> noFile;
    private final Map<String, BooleanSupplier> waitedFor = new ConcurrentHashMap<>();

    /**
     * Creates an empty list of silent files.
     *
     * @param limit time limit for an answer
     * @param noFile predicate for entries that are not regular files
     */
    SilentFiles(Duration limit, Predicate<Path> noFile) {
        this.limit = limit;
        this.noFile = noFile;
    }

    SilentFiles(Duration limit) {
        this(limit, SilentFiles::isNoFile);
    }

    /** Returns whether a file is not a regular file, such as a pipe. It may never answer. */
    boolean neverAnswers(Path file) {
        return noFile.test(file);
    }

    Duration limit() {
        return limit;
    }

    /**
     * Checks whether a file can be read.
     *
     * @throws NoAnswerException when it is silent, or too many other files are
     */
    void check(String path, HostTree tree) throws NoAnswerException {
        if (waitedFor.isEmpty()) {
            return;
        }
        BooleanSupplier answered = waitedFor.get(path);
        if (answered != null && !answered.getAsBoolean()) {
            throw new NoAnswerException(
                    tree.location(path), "it has not responded for a while and is not read again until it responds");
        }
        if (waitedFor.size() >= MOST) {
            waitedFor.values().removeIf(BooleanSupplier::getAsBoolean);
            if (waitedFor.size() >= MOST) {
                throw new NoAnswerException(
                        tree.location(path),
                        "it is not read, because %s other files of this host do not respond".formatted(MOST));
            }
        }
    }

    /** Adds a silent file until it has answered. */
    void add(String path, BooleanSupplier answered) {
        waitedFor.put(path, answered);
    }

    void remove(String path, BooleanSupplier answered) {
        waitedFor.remove(path, answered);
    }

    NoAnswerException noAnswer(String location, Duration waited) {
        return new NoAnswerException(
                location,
                "no response within %s; the driver may hang (dmesg)"
                        .formatted(waited.toString().substring(2).toLowerCase(Locale.ROOT)));
    }

    static NoAnswerException noFile(String location) {
        return new NoAnswerException(location, "it is not a regular file, and reading it does not end");
    }

    /** Returns whether an entry is certainly not a regular file. If this is unknown, the read waits for an answer. */
    static boolean isNoFile(Path file) {
        try {
            return !Files.readAttributes(file, BasicFileAttributes.class).isRegularFile();
        } catch (IOException unknown) {
            return false;
        }
    }
}
