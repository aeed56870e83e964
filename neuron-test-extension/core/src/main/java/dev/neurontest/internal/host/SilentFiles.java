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

/** The files of a tree that threads still wait for. They are not asked again before they have answered. */
final class SilentFiles {

    /** So many threads are left behind, then nothing of the tree is read any more. */
    private static final int MOST = 64;

    private final Duration limit;
    private final Predicate<Path> noFile;
    private final Map<String, BooleanSupplier> waitedFor = new ConcurrentHashMap<>();

    /**
     * None yet.
     *
     * @param limit how long an answer may take
     * @param noFile whether there is something that is no regular file
     */
    SilentFiles(Duration limit, Predicate<Path> noFile) {
        this.limit = limit;
        this.noFile = noFile;
    }

    SilentFiles(Duration limit) {
        this(limit, SilentFiles::isNoFile);
    }

    /** What is none, such as a pipe, may never answer. */
    boolean neverAnswers(Path file) {
        return noFile.test(file);
    }

    Duration limit() {
        return limit;
    }

    /**
     * Looks whether a file may be asked.
     *
     * @throws NoAnswerException when it is silent, or too many others are
     */
    void check(String path, HostTree tree) throws NoAnswerException {
        if (waitedFor.isEmpty()) {
            return;
        }
        BooleanSupplier answered = waitedFor.get(path);
        if (answered != null && !answered.getAsBoolean()) {
            throw new NoAnswerException(
                    tree.location(path), "it has not answered for a while and is not asked again before it has");
        }
        if (waitedFor.size() >= MOST) {
            waitedFor.values().removeIf(BooleanSupplier::getAsBoolean);
            if (waitedFor.size() >= MOST) {
                throw new NoAnswerException(
                        tree.location(path),
                        "it is not asked, because %s other files of this host do not answer".formatted(MOST));
            }
        }
    }

    /** Keeps a file until it has answered. */
    void add(String path, BooleanSupplier answered) {
        waitedFor.put(path, answered);
    }

    void remove(String path, BooleanSupplier answered) {
        waitedFor.remove(path, answered);
    }

    NoAnswerException noAnswer(String location, Duration waited) {
        return new NoAnswerException(
                location,
                "no answer within %s; the driver may hang (dmesg)"
                        .formatted(waited.toString().substring(2).toLowerCase(Locale.ROOT)));
    }

    static NoAnswerException noFile(String location) {
        return new NoAnswerException(location, "it is no regular file, and reading it does not end");
    }

    /** Where that cannot be found out, it is waited for. */
    static boolean isNoFile(Path file) {
        try {
            return !Files.readAttributes(file, BasicFileAttributes.class).isRegularFile();
        } catch (IOException unknown) {
            return false;
        }
    }
}
