import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes the Java sources that follow from the catalogue of metrics, so that none is typed by hand: their names, the catalogue,
 * and an assertion for each with its own type. Run by the build: {@code java MetricSources.java <catalogue> <folder for sources> <module>}.
 */
final class MetricSources {

    private static final String PROFILE = "dev.neurontest.profile";
    private static final String INTERNAL_PROFILE = "dev.neurontest.internal.profile";
    private static final String ASSERTJ = "dev.neurontest.assertj";

    /** Where a metric carries the number of a core. */
    private static final String CORE = "_nc0";

    private static final Map<String, String> UNITS = Map.of(
            "s", "SECONDS",
            "ns", "NANOSECONDS",
            "cycles", "CYCLES",
            "flops", "FLOPS",
            "flops/byte", "FLOPS_PER_BYTE",
            "count", "COUNT",
            "bytes", "BYTES",
            "fraction", "FRACTION",
            "index", "INDEX",
            "text", "TEXT");

    private static final Map<String, String> DIRECTIONS =
            Map.of("lower", "LOWER", "higher", "HIGHER", "depends", "DEPENDS", "-", "NEITHER");

    private static final Map<String, String> DIRECTION_WORDS = Map.of(
            "LOWER", "less is better",
            "HIGHER", "more is better",
            "DEPENDS", "what is better depends on the model",
            "NEITHER", "it describes, neither way is better");

    private static final Map<String, String> NOISE_WORDS = Map.of(
            "FIXED", "the same on every run of the same NEFF",
            "NEARLY_FIXED", "nearly the same on every run of the same NEFF",
            "NOISY", "varies from run to run");

    /** The columns of tools that showed a metric, oldest first, and what since says for each. */
    private static final Map<String, String> SEEN = ordered(
            "seen_trn2_2_25_vector", "2.25",
            "seen_trn2_2_25_matmul", "2.25",
            "seen_trn1_2_26_ui", "2.26",
            "seen_inf2_2_28", "2.28",
            "seen_explorer_partial", "explorer",
            "in_schema_2_32", "explorer");

    private record Row(String name, String unit, String better, String noise, String since, boolean inSchema) {

        static Row of(Map<String, String> fields) {
            String name = fields.get("field");
            return new Row(
                    name,
                    known(UNITS, fields.get("unit_in_output"), name),
                    known(DIRECTIONS, fields.get("better"), name),
                    noise(fields.get("run_to_run"), name),
                    SEEN.entrySet().stream()
                            .filter(tool -> fields.get(tool.getKey()).equals("y"))
                            .map(Map.Entry::getValue)
                            .findFirst()
                            .orElseThrow(() -> new IllegalArgumentException("no tool has " + name)),
                    fields.get("in_schema_2_32").equals("y"));
        }

        private static String known(Map<String, String> words, String written, String name) {
            String word = words.get(written);
            if (word == null) {
                throw new IllegalArgumentException(
                        "%s has the unknown \"%s\", known are %s".formatted(name, written, words.keySet()));
            }
            return word;
        }

        private static String noise(String written, String name) {
            if (written.startsWith("noisy") || written.startsWith("as noisy")) {
                return "NOISY";
            }
            if (written.startsWith("near")) {
                return "NEARLY_FIXED";
            }
            if (written.startsWith("fixed") || written.startsWith("follows")) {
                return "FIXED";
            }
            throw new IllegalArgumentException("%s has the unknown noise \"%s\"".formatted(name, written));
        }

        boolean ofCore() {
            return name.contains(CORE);
        }

        String constant() {
            return name.toUpperCase(Locale.ROOT);
        }

        String method() {
            StringBuilder method = new StringBuilder();
            for (String word : name.replace(CORE, "").split("_")) {
                method.append(
                        method.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
            }
            return method.toString();
        }

        String parameter() {
            return ofCore() ? "int core" : "";
        }

        /** The name as an expression, with the number of the core put in. */
        String expression() {
            return ofCore() ? "\"" + name.replace(CORE, "_nc\" + core + \"") + "\"" : "MetricNames." + constant();
        }

        String code() {
            return "{@code " + name.replace(CORE, "_nc<core>") + "}";
        }

        String facts() {
            return "%s; %s; %s; %s."
                    .formatted(
                            switch (unit) {
                                case "SECONDS" -> "seconds";
                                case "NANOSECONDS" -> "nanoseconds";
                                case "CYCLES" -> "cycles of the base clock";
                                case "FLOPS" -> "floating-point operations";
                                case "FLOPS_PER_BYTE" -> "floating-point operations for each byte";
                                case "FRACTION" -> "a part of one";
                                default -> unit.toLowerCase(Locale.ROOT);
                            },
                            DIRECTION_WORDS.get(better),
                            NOISE_WORDS.get(noise),
                            since.equals("explorer")
                                    ? "only of the newer {@code neuron-explorer}"
                                    : "seen since tools " + since);
        }

        /** What a limit is. */
        String limit() {
            return switch (unit) {
                case "SECONDS", "NANOSECONDS" -> "Duration";
                case "BYTES" -> "ByteSize";
                case "FRACTION" -> "Fraction";
                case "TEXT" -> "String";
                default -> "Number";
            };
        }

        String[] examples() {
            return switch (unit) {
                case "SECONDS", "NANOSECONDS" ->
                    new String[] {"isAtMost(Duration.ofMillis(17))", "isAtMost(Duration.ofNanos(1))"};
                case "BYTES" -> new String[] {"isAtMost(\"3 MiB\")", "isAtMost(\"1 B\")"};
                case "FRACTION" -> new String[] {"isAtLeast(\"5 %\")", "isAtLeast(\"99.9 %\")"};
                case "FLOPS_PER_BYTE" -> new String[] {"isAtLeast(10)", "isAtLeast(1_000_000)"};
                default -> new String[] {"isPresent()", "isAbsent()"};
            };
        }
    }

    public static void main(String[] arguments) throws IOException {
        List<Row> rows = read(Path.of(arguments[0]));
        Path folder = Path.of(arguments[1]);
        switch (arguments[2]) {
            case "core" -> {
                write(folder, PROFILE, "MetricNames", names(rows));
                write(folder, INTERNAL_PROFILE, "MetricCatalogue", catalogue(rows));
                // An earlier build may have left what is written no more, and the compiler would take it.
                Files.deleteIfExists(folder.resolve(PROFILE.replace('.', '/')).resolve("MetricCatalogue.java"));
            }
            case "junit" -> write(folder, ASSERTJ, "AbstractProfileAssert", assertions(rows));
            default -> throw new IllegalArgumentException("no module " + arguments[2]);
        }
    }

    private static List<Row> read(Path catalogue) throws IOException {
        List<String> lines = Files.readAllLines(catalogue);
        String[] columns = lines.get(0).split(",");
        List<Row> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            // A comma inside quotes does not separate.
            String[] cells = line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
            if (cells.length != columns.length) {
                throw new IllegalArgumentException(
                        "%d columns instead of %d: %s".formatted(cells.length, columns.length, line));
            }
            Map<String, String> fields = new HashMap<>();
            for (int column = 0; column < columns.length; column++) {
                fields.put(columns[column], cells[column].replace("\"", ""));
            }
            rows.add(Row.of(fields));
        }
        return rows;
    }

    private static String names(List<Row> rows) {
        return """
                import org.apiguardian.api.API;

                /**
                 * The names of the metrics that the tools are known to write. Others are reached by their names as well. The number of a
                 * core in a name is not always 0.
                 */
                @API(status = API.Status.EXPERIMENTAL, since = "0.1")
                public final class MetricNames {
                %s
                    private MetricNames() {}
                }
                """.formatted(rows.stream()
                .map(row -> """

                                    /** %s */
                                    public static final String %s = "%s";
                                """.formatted(capitalised(row.facts()), row.constant(), row.name()))
                .collect(Collectors.joining()));
    }

    private static String catalogue(List<Row> rows) {
        return """
                import dev.neurontest.metric.Direction;
                import dev.neurontest.metric.Metric;
                import dev.neurontest.profile.MetricNames;
                import dev.neurontest.metric.Noise;
                import dev.neurontest.metric.Unit;
                import java.util.List;

                /** Every metric that the tools are known to write. */
                final class MetricCatalogue {

                    static final List<ProfileMetric> METRICS = List.of(
                %s);

                    private MetricCatalogue() {}

                    private static ProfileMetric metric(
                            String name, Unit unit, Direction better, Noise noise, String since, boolean inSchema) {
                        return new ProfileMetric(new Metric(name, unit, better, noise), since, inSchema);
                    }
                }
                """.formatted(rows.stream()
                .map(row -> "            metric(MetricNames.%s, Unit.%s, Direction.%s, Noise.%s, \"%s\", %s)"
                        .formatted(row.constant(), row.unit(), row.better(), row.noise(), row.since(), row.inSchema()))
                .collect(Collectors.joining(",\n")));
    }

    private static String assertions(List<Row> rows) {
        return """
                import dev.neurontest.internal.assertj.ObservedMetric;
                import dev.neurontest.metric.ByteSize;
                import dev.neurontest.metric.Fraction;
                import dev.neurontest.profile.MetricNames;
                import dev.neurontest.profile.Profile;
                import java.time.Duration;
                import org.assertj.core.api.InstanceOfAssertFactory;

                /** The part of {@link ProfileAssert} that follows from the catalogue: a method for each metric that the tools are known to write. */
                abstract class AbstractProfileAssert extends AbstractNeuronAssert<ProfileAssert, Profile> {

                    AbstractProfileAssert(Profile actual) {
                        super(actual, ProfileAssert.class);
                    }

                    /**
                     * A number that has no method here, by the name that the tool gives it and as the tool wrote it.
                     *
                     * <pre>{@code
                     * assertThat(profile).metric("new_engine_instruction_count").isAtMost(5000); // succeeds
                     * assertThat(profile).metric("new_engine_instruction_count").isAtMost(1);    // fails
                     * }</pre>
                     *
                     * @param name as the tool writes it
                     * @return assertions on it
                     */
                    public MetricAssert<Number> metric(String name) {
                        return observed(name);
                    }

                    private <L> MetricAssert<L> observed(String name) {
                        isNotNull();
                        return asInstanceOf(new InstanceOfAssertFactory<>(
                                Profile.class, profile -> new MetricAssert<>(new ObservedMetric(profile, name))));
                    }
                %s}
                """.formatted(rows.stream()
                .map(row -> """

                                    /**
                                     * %s: %s
                                     *
                                     * <pre>{@code
                                     * assertThat(profile).%s.%s; // succeeds
                                     * assertThat(profile).%s.%s; // fails
                                     * }</pre>
                                     *
                                %s     * @return assertions on it
                                     */
                                    public MetricAssert<%s> %s(%s) {
                                        return observed(%s);
                                    }
                                """.formatted(
                                row.code(),
                                row.facts(),
                                example(row),
                                row.examples()[0],
                                example(row),
                                row.examples()[1],
                                coreParameter(row),
                                row.limit(),
                                row.method(),
                                row.parameter(),
                                row.expression()))
                .collect(Collectors.joining()));
    }

    private static String example(Row row) {
        return row.method() + (row.ofCore() ? "(0)" : "()");
    }

    private static String coreParameter(Row row) {
        return row.ofCore() ? "     * @param core the number in the name, not always that of the core in use\n" : "";
    }

    private static String capitalised(String sentence) {
        return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
    }

    private static Map<String, String> ordered(String... pairs) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map;
    }

    /** Leaves a file alone that is right already, so that nothing is compiled again. */
    private static void write(Path folder, String packageName, String type, String body) throws IOException {
        Path file = folder.resolve(packageName.replace('.', '/')).resolve(type + ".java");
        String source = "package " + packageName + ";\n\n" + body;
        if (!Files.exists(file) || !Files.readString(file).equals(source)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, source);
        }
    }
}
