package dev.neurontest.internal.baseline.history;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.metric.Unit;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All baselines of one test class, in an order that does not depend on their dates. Equal baselines always give the same text.
 *
 * @param testClass the full name of the class
 * @param entries entries with distinct tests, metrics and stacks
 */
record BaselineFile(String testClass, List<BaselineEntry> entries) {

    static final String EXTENSION = ".json";

    private static final String KIND = "baselines";

    /** Version of the format. It increases when a member changes its meaning. */
    private static final int VERSION = 1;

    private static final String EVENTS_EXTENSION = ".events" + EXTENSION;

    /** Maximum length of a file name that every file system accepts, with space for the extension. */
    private static final int LONGEST_NAME = 200;

    private static final Comparator<BaselineEntry> ORDER = Comparator.comparing(
                    (BaselineEntry entry) -> entry.key().test())
            .thenComparing(entry -> entry.key().metric())
            .thenComparing(entry -> entry.stack().parts().toString());

    BaselineFile {
        entries = entries.stream().sorted(ORDER).toList();
    }

    private record Content(int version, String kind, String testClass, List<BaselineEntry> entries) {}

    static BaselineFile read(byte[] content, Path file) {
        try {
            Content read = RecordReader.EXACT.read(content, KIND, VERSION, Content.class);
            BaselineFile baselines = empty(read.testClass);
            for (BaselineEntry entry : read.entries) {
                baselines.problem(entry).ifPresent(problem -> {
                    throw new JsonException(
                            "has a baseline of %s on %s %s".formatted(entry.key(), entry.stack(), problem));
                });
                baselines = baselines.with(entry);
            }
            return baselines;
        } catch (JsonException wrong) {
            throw BaselineException.unreadable(file, wrong);
        }
    }

    private Optional<String> problem(BaselineEntry entry) {
        List<Double> runs = entry.sample().runs();
        boolean isOther = !entry.key().testClass().equals(testClass)
                || !entry.key().metric().equals(entry.metric().name())
                || entry.metric().unit() == Unit.TEXT;
        return isOther
                ? Optional.of("and of %s, expected a number of %s".formatted(entry.metric(), testClass))
                : find(entry.key(), entry.stack()).isPresent()
                        ? Optional.of("a second time, expected one for each stack")
                        : runs.isEmpty() || runs.stream().anyMatch(run -> run < 0)
                                ? Optional.of("with runs %s, expected at least one, none below 0".formatted(runs))
                                : entry.sample().iterationsPerRun() < 1
                                        ? Optional.of("with no iteration in a run, expected at least one")
                                        : entry.history().stream().anyMatch(former -> former.median() < 0)
                                                ? Optional.of("with a median below 0 in its history, expected none")
                                                : Optional.empty();
    }

    String text() {
        return RecordWriter.lines(new Content(VERSION, KIND, testClass, entries));
    }

    static BaselineFile empty(String testClass) {
        return new BaselineFile(testClass, List.of());
    }

    /** Returns the file name of a class. It is safe for any class name, and differs between classes. */
    static String nameOf(String testClass) {
        StringBuilder name = new StringBuilder();
        for (byte each : testClass.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || "_$-".indexOf(c) >= 0);
            boolean innerDot = c == '.' && !name.isEmpty();
            name.append(plain || innerDot ? String.valueOf(c) : "%%%02X".formatted((int) c));
        }
        if (name.length() > LONGEST_NAME) {
            UUID whole = UUID.nameUUIDFromBytes(testClass.getBytes(StandardCharsets.UTF_8));
            name.setLength(LONGEST_NAME - whole.toString().length() - 1);
            name.append('~').append(whole);
        }
        return name + EXTENSION;
    }

    /** Returns the file name for the events of a baseline run. It contains a plus, which never occurs in the file name of a class. */
    static String eventsNameOf(BaselineKey key, Stack stack) {
        String file = nameOf(key.testClass());
        return "%s+%s%s"
                .formatted(
                        file.substring(0, file.length() - EXTENSION.length()),
                        UUID.nameUUIDFromBytes(List.of(
                                                key.test(),
                                                key.metric(),
                                                stack.parts().toString())
                                        .toString()
                                        .getBytes(StandardCharsets.UTF_8))
                                .toString()
                                .substring(0, 13),
                        EVENTS_EXTENSION);
    }

    static boolean isOfEvents(String name) {
        return name.contains("+");
    }

    Optional<BaselineEntry> find(BaselineKey key, Stack stack) {
        return entries.stream().filter(at(key, stack)).findFirst();
    }

    /** Returns the position of an entry in the file, as a JSON pointer. */
    Optional<String> pointer(BaselineKey key, Stack stack) {
        return IntStream.range(0, entries.size())
                .filter(index -> at(key, stack).test(entries.get(index)))
                .mapToObj(index -> "/entries/" + index)
                .findFirst();
    }

    /** Returns the same file with an entry. It replaces the entry of the same metric, test and stack. */
    BaselineFile with(BaselineEntry entry) {
        return new BaselineFile(
                testClass,
                Stream.concat(without(entry.key(), entry.stack()).entries.stream(), Stream.of(entry))
                        .toList());
    }

    BaselineFile without(BaselineKey key, Stack stack) {
        return new BaselineFile(
                testClass, entries.stream().filter(at(key, stack).negate()).toList());
    }

    private static Predicate<BaselineEntry> at(BaselineKey key, Stack stack) {
        return entry -> entry.key().equals(key) && entry.stack().equals(stack);
    }
}
