package dev.neurontest.internal.status;

import dev.neurontest.runtime.RuntimeStatus.CoreVerdict;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The statuses of the runtime and the causes in its lines, from {@code statuses.txt}. */
@API(status = API.Status.INTERNAL)
public final class StatusTable {

    /** The entries by their first lines. */
    private static final Map<String, Map<String, String>> ENTRIES = read();

    private static final Map<Integer, Row> ROWS = rows();

    public static final Row UNKNOWN = Row.of("", ENTRIES.get("unknown"));

    /** The meaning of a status or cause at a stage. */
    public record Case(Set<Fault> faults, CoreVerdict core, String advice) {

        public static Case of(Map<String, String> entry, String stage) {
            String faults = entry.getOrDefault(stage + "faults", "");
            return new Case(
                    words(faults)
                            .map(Fault::valueOf)
                            .collect(Collectors.collectingAndThen(
                                    Collectors.toCollection(LinkedHashSet::new), Collections::unmodifiableSet)),
                    CoreVerdict.valueOf(entry.get(stage + "core")),
                    entry.getOrDefault(stage + "advice", ""));
        }
    }

    /** The row of a status. */
    public record Row(
            String name, String meaning, Case always, Map<Stage, Case> stages, String evidence, List<String> counters) {

        private static Row of(String name, Map<String, String> entry) {
            Map<Stage, Case> stages = new EnumMap<>(Stage.class);
            for (Stage stage : Stage.values()) {
                if (entry.containsKey(stage + " core")) {
                    stages.put(stage, Case.of(entry, stage + " "));
                }
            }
            return new Row(
                    name,
                    entry.get("meaning"),
                    Case.of(entry, ""),
                    stages,
                    entry.getOrDefault("evidence", ""),
                    words(entry.getOrDefault("counters", "")).toList());
        }

        public Case at(Stage stage) {
            return stages.getOrDefault(stage, always);
        }
    }

    private StatusTable() {}

    private static Map<String, Map<String, String>> read() {
        Map<String, Map<String, String>> entries = new LinkedHashMap<>();
        try (InputStream table = StatusTable.class.getResourceAsStream("statuses.txt")) {
            Map<String, String> entry = Map.of();
            for (String line : new String(table.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (line.startsWith("  ")) {
                    String[] value = line.strip().split(": ", 2);
                    entry.put(value[0], value[1]);
                } else if (!line.isEmpty() && line.charAt(0) != '#') {
                    entry = entries.computeIfAbsent(line, first -> new LinkedHashMap<>());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entries;
    }

    private static Map<Integer, Row> rows() {
        Map<Integer, Row> rows = new LinkedHashMap<>();
        ENTRIES.forEach((first, entry) -> {
            if (Character.isDigit(first.charAt(0))) {
                String[] status = first.split(" ");
                rows.put(Integer.parseInt(status[0]), Row.of(status[1], entry));
            }
        });
        return rows;
    }

    /** Splits a value that may be empty. */
    public static Stream<String> words(String value) {
        return Arrays.stream(value.split(" ")).filter(word -> !word.isEmpty());
    }

    /** Returns an entry by its first line, such as the name of a cause. */
    public static Map<String, String> entry(String first) {
        return ENTRIES.get(first);
    }

    public static List<Integer> codes() {
        return List.copyOf(ROWS.keySet());
    }

    public static Optional<Integer> codeOfCounter(String name) {
        return find(row -> row.counters().contains(name));
    }

    public static Optional<Row> row(int code) {
        return Optional.ofNullable(ROWS.get(code));
    }

    /** Finds the code of a name with or without its prefixes, because counters and messages omit them. */
    public static Optional<Integer> code(String name) {
        String plain = withoutPrefix(name.toUpperCase(Locale.ROOT));
        return find(row -> withoutPrefix(row.name()).equals(plain));
    }

    private static Optional<Integer> find(Predicate<Row> condition) {
        return ROWS.entrySet().stream()
                .filter(entry -> condition.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static String withoutPrefix(String name) {
        return name.replaceFirst("^NRT_", "").replaceFirst("^EXEC_", "");
    }
}
