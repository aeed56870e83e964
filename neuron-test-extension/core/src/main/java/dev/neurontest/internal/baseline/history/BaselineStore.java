package dev.neurontest.internal.baseline.history;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.BaselineEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * The folder with baseline files, one for each test class. Several JVMs may read and write it at the same time. A reader sees each file
 * either before or after a change, and no change is lost. A file with invalid content is never overwritten.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BaselineStore {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final BaselineDirectory directory;

    private BaselineStore(BaselineDirectory directory) {
        this.directory = directory;
    }

    /**
     * Creates the store for a folder.
     *
     * @param directory the folder, which is created at the first write; a missing folder contains no baselines
     */
    public static BaselineStore in(Path directory) {
        return in(directory, PATIENCE);
    }

    static BaselineStore in(Path directory, Duration patience) {
        return new BaselineStore(new BaselineDirectory(directory, patience));
    }

    /**
     * The valid baselines of a store, and the problems of the other files.
     *
     * @param entries all baselines, by class, test, metric and stack
     * @param problems one exception for each file that cannot be read
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Contents(List<BaselineEntry> entries, List<BaselineException> problems) {

        /** Creates contents with its own copies of the lists. */
        public Contents {
            entries = List.copyOf(entries);
            problems = List.copyOf(problems);
        }
    }

    /** Returns the folder of the files. */
    public Path directory() {
        return directory.path();
    }

    /**
     * Finds the baseline of a metric on a stack. A baseline of another stack is never returned.
     *
     * @return empty when there is none
     * @throws BaselineException when the file of the class cannot be read
     */
    public Optional<BaselineEntry> find(BaselineKey key, Stack stack) {
        return file(key.testClass()).find(key, stack);
    }

    /**
     * Finds the most similar stack with a baseline of the metric: the one with the most equal parts. Among several, the most recently
     * recorded one is returned.
     *
     * @return another stack; empty when no other stack has a baseline of the metric
     * @throws BaselineException when the file of the class cannot be read
     */
    public Optional<Stack> nearest(BaselineKey key, Stack stack) {
        return file(key.testClass()).entries().stream()
                .filter(entry -> entry.key().equals(key) && !entry.stack().equals(stack))
                .max(Comparator.comparingLong((BaselineEntry entry) -> commonParts(entry.stack(), stack))
                        .thenComparing(BaselineEntry::recorded))
                .map(BaselineEntry::stack);
    }

    private static long commonParts(Stack candidate, Stack required) {
        return candidate.parts().entrySet().stream()
                .filter(required.parts().entrySet()::contains)
                .count();
    }

    /**
     * Returns all baselines, ordered by class, test, metric and stack.
     *
     * @throws BaselineException when a file cannot be read
     */
    public List<BaselineEntry> entries() {
        Contents contents = contents();
        contents.problems().stream().findFirst().ifPresent(problem -> {
            throw problem;
        });
        return contents.entries();
    }

    /**
     * Returns all baselines of the readable files, and the problems of the other files.
     *
     * @throws BaselineException when the folder cannot be read
     */
    public Contents contents() {
        List<BaselineEntry> entries = new ArrayList<>();
        List<BaselineException> problems = new ArrayList<>();
        for (String name : directory.names(BaselineFile.EXTENSION)) {
            if (BaselineFile.isOfEvents(name)) {
                continue;
            }
            try {
                read(name).ifPresent(file -> entries.addAll(file.entries()));
            } catch (BaselineException broken) {
                problems.add(broken);
            }
        }
        return new Contents(entries, problems);
    }

    /**
     * Finds the baselines of metrics that are no longer measured, for classes with at least one measurement in this run. If a run executes
     * only some tests of a class, the baselines of the other tests look like orphans.
     *
     * @param measuredKeys the keys of all measurements of the run
     * @return baselines on any stack without a measurement of their metric
     * @throws BaselineException when a file cannot be read
     */
    public List<BaselineEntry> orphans(Set<BaselineKey> measuredKeys) {
        return measuredKeys.stream().map(BaselineKey::testClass).distinct().sorted().toList().stream()
                .flatMap(testClass -> file(testClass).entries().stream())
                .filter(entry -> !measuredKeys.contains(entry.key()))
                .toList();
    }

    /**
     * Returns the position of an existing or future baseline.
     *
     * @return the file, and the JSON pointer if the baseline exists, such as
     *     {@code src/test/resources/neuron-baselines/com.acme.BertTest.json /entries/3}
     * @throws BaselineException when the file cannot be read
     */
    public String pointer(BaselineKey key, Stack stack) {
        return directory().resolve(BaselineFile.nameOf(key.testClass()))
                + file(key.testClass())
                        .pointer(key, stack)
                        .map(pointer -> " " + pointer)
                        .orElse("");
    }

    /**
     * Removes a baseline, if it exists. A file without baselines is removed too.
     *
     * @throws BaselineException when the file cannot be read or written
     */
    public void remove(BaselineKey key, Stack stack) {
        if (find(key, stack).isPresent()) {
            locked(() -> {
                replace(file(key.testClass()).without(key, stack));
                replaceEvents(key, stack, Optional.empty());
                return key;
            });
        }
    }

    /**
     * Returns the file with the event times of the run behind a baseline, stored together with the baseline.
     *
     * @return empty when no event times were stored
     * @throws BaselineException when the folder or the file is a link
     */
    public Optional<Path> events(BaselineKey key, Stack stack) {
        String name = BaselineFile.eventsNameOf(key, stack);
        return directory.read(name).map(content -> directory().resolve(name));
    }

    Optional<String> readEvents(BaselineKey key, Stack stack) {
        return directory
                .read(BaselineFile.eventsNameOf(key, stack))
                .map(content -> new String(content, StandardCharsets.UTF_8));
    }

    /** Replaces the stored events. Without new events, those of the earlier run are removed. The caller must hold the lock. */
    void replaceEvents(BaselineKey key, Stack stack, Optional<String> events) {
        String name = BaselineFile.eventsNameOf(key, stack);
        events.ifPresentOrElse(content -> directory.write(name, content), () -> directory.remove(name));
    }

    /** Runs an action that reads and writes while no other process does. */
    <T> T locked(Supplier<T> action) {
        return directory.locked(action);
    }

    /** Replaces the file of a class. The caller must hold the lock. */
    void replace(BaselineFile file) {
        if (file.equals(file(file.testClass()))) {
            return;
        }
        String name = BaselineFile.nameOf(file.testClass());
        if (file.entries().isEmpty()) {
            directory.remove(name);
        } else {
            directory.write(name, file.text());
        }
    }

    BaselineFile file(String testClass) {
        return read(BaselineFile.nameOf(testClass)).orElseGet(() -> BaselineFile.empty(testClass));
    }

    private Optional<BaselineFile> read(String name) {
        Path path = directory().resolve(name);
        return directory
                .read(name)
                .map(content -> BaselineFile.read(content, path))
                .map(file -> {
                    String expected = BaselineFile.nameOf(file.testClass());
                    if (expected.equals(name)) {
                        return file;
                    }
                    throw BaselineException.unusable(
                            path, "names the class " + file.testClass(), "Rename it to " + expected + ".", null);
                });
    }
}
