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
 * A folder with baseline files, one for each test class. Several JVMs may read and write it at the same time: a reader sees each file
 * as it was before or after a change, and no change is lost. A file that cannot be understood is never written to.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BaselineStore {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final BaselineDirectory directory;

    private BaselineStore(BaselineDirectory directory) {
        this.directory = directory;
    }

    /**
     * The baselines in a folder.
     *
     * @param directory made when something is first written; without it there are no baselines
     * @return the store
     */
    public static BaselineStore in(Path directory) {
        return in(directory, PATIENCE);
    }

    static BaselineStore in(Path directory, Duration patience) {
        return new BaselineStore(new BaselineDirectory(directory, patience));
    }

    /**
     * What was understood, and what was not.
     *
     * @param entries all baselines, by class, test, metric and stack
     * @param problems one for each file that cannot be read
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Contents(List<BaselineEntry> entries, List<BaselineException> problems) {

        /**
         * Keeps its own copies.
         *
         * @param entries all baselines
         * @param problems one for each file that cannot be read
         */
        public Contents {
            entries = List.copyOf(entries);
            problems = List.copyOf(problems);
        }
    }

    /**
     * Where the files are.
     *
     * @return the folder as it was named
     */
    public Path directory() {
        return directory.path();
    }

    /**
     * The baseline of a metric on a stack. One of another stack is never taken instead.
     *
     * @param key of what
     * @param stack where
     * @return empty when there is none
     * @throws BaselineException when the file of the class cannot be read
     */
    public Optional<BaselineEntry> find(BaselineKey key, Stack stack) {
        return file(key.testClass()).find(key, stack);
    }

    /**
     * The stack that is most alike among those that have a baseline of the metric: the one with the most equal parts, of several the
     * one that was recorded last.
     *
     * @param key of what
     * @param stack where there is none
     * @return another stack; empty when there is no baseline of the metric elsewhere
     * @throws BaselineException when the file of the class cannot be read
     */
    public Optional<Stack> nearest(BaselineKey key, Stack stack) {
        return file(key.testClass()).entries().stream()
                .filter(entry -> entry.key().equals(key) && !entry.stack().equals(stack))
                .max(Comparator.comparingLong((BaselineEntry entry) -> alike(entry.stack(), stack))
                        .thenComparing(BaselineEntry::recorded))
                .map(BaselineEntry::stack);
    }

    private static long alike(Stack one, Stack other) {
        return one.parts().entrySet().stream()
                .filter(other.parts().entrySet()::contains)
                .count();
    }

    /**
     * All baselines.
     *
     * @return by class, test, metric and stack
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
     * All baselines of the files that can be read, and what is wrong with the others.
     *
     * @return both
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
     * The baselines of metrics that were not measured any more, as far as a run can tell: those of classes that the run has
     * measured something of. A run that was cut down to some tests of a class makes all others of that class look like orphans.
     *
     * @param ofThisRun all that was measured
     * @return baselines on any stack whose metric is not among them
     * @throws BaselineException when a file cannot be read
     */
    public List<BaselineEntry> orphans(Set<BaselineKey> ofThisRun) {
        return ofThisRun.stream().map(BaselineKey::testClass).distinct().sorted().toList().stream()
                .flatMap(testClass -> file(testClass).entries().stream())
                .filter(entry -> !ofThisRun.contains(entry.key()))
                .toList();
    }

    /**
     * Where a baseline is, or would be.
     *
     * @param key of what
     * @param stack where it was measured
     * @return the file, and the JSON pointer when it is there, such as
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
     * Removes a baseline, if it is there. A file without any is removed too.
     *
     * @param key of what
     * @param stack where it was measured
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
     * What the events of the run that a baseline was made from took, as it was given when the baseline was written.
     *
     * @param key of what
     * @param stack where it was measured
     * @return the file; empty when that was not kept
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

    /** Only under the lock. Without events those of another run are removed. */
    void replaceEvents(BaselineKey key, Stack stack, Optional<String> events) {
        String name = BaselineFile.eventsNameOf(key, stack);
        events.ifPresentOrElse(content -> directory.write(name, content), () -> directory.remove(name));
    }

    /** Reads, decides and writes while no other process does. */
    <T> T locked(Supplier<T> action) {
        return directory.locked(action);
    }

    /** Only under the lock. */
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
                            path, "says that it is of class " + file.testClass(), "Call it " + expected + ".", null);
                });
    }
}
