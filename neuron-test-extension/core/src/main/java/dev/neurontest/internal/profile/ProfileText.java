package dev.neurontest.internal.profile;

import dev.neurontest.internal.text.PathText;
import dev.neurontest.internal.text.TextTable;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.profile.TracedExecution;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The readable text of a profile, as attached to the test. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfileText {

    private final Profile profile;
    private final StringBuilder text = new StringBuilder();

    /** The groups of metrics, in the order of display. */
    private enum Group {
        TIME("Time", "total_(exec_|active_)?time(_percent)?|neuroncore_cycle_count"),
        UTILISATION("Utilisation", "[mh]fu_.*|mbu_.*|mm_arithmetic_intensity|peak_flops_bandwidth_ratio|.*_flops"),
        TRAFFIC("Traffic", "(hbm|sbuf|psum|spill)_.*|.*_queue_bytes|.*_size_bytes"),
        ENGINES("Engines", "(tensor|vector|scalar|gpsimd|sync)_engine_.*|(matmul|activate)_.*"),
        DMA("DMA", "(.*_)?dma_.*"),
        COLLECTIVES("Collectives", "cc_.*"),
        THROTTLING("Throttling", "throttle_.*"),
        OTHER("Other", ".*");

        private final String title;
        private final Pattern names;

        Group(String title, String names) {
            this.title = title;
            this.names = Pattern.compile(names);
        }

        static Group of(String metric) {
            for (Group group : values()) {
                if (group.names.matcher(metric).matches()) {
                    return group;
                }
            }
            return OTHER;
        }
    }

    private ProfileText(Profile profile) {
        this.profile = profile;
    }

    public static String of(Profile profile) {
        return new ProfileText(profile).write();
    }

    private String write() {
        text.append("Profile of %s by %s, %s\n%s\n"
                .formatted(profile.title(), profile.tool(), profile.capture().words(), PathText.of(profile.folder())));
        List<String> doubts =
                profile.allDoubts().stream().map(ProfileText::line).toList();
        list("In doubt", doubts);
        list("Noticed", profile.notices());
        metrics();
        executions("Executions", profile.executions());
        executions("Other executions, not judged", profile.helpers());
        list("Tables", tables(profile));
        list("To open it in the viewer of the tool", viewCommands(profile));
        oddities();
        versions();
        profile.runs().forEach(this::run);
        return text.toString();
    }

    private static String line(Doubt doubt) {
        return "%s: %s".formatted(doubt.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '), doubt.reason());
    }

    private void list(String title, Collection<String> lines) {
        if (!lines.isEmpty()) {
            text.append('\n').append(title).append(":\n");
            lines.forEach(line -> text.append("  ").append(line).append('\n'));
        }
    }

    private void metrics() {
        Map<Group, List<String>> groups = names().stream()
                .filter(metric -> profile.number(metric).isPresent())
                .collect(Collectors.groupingBy(Group::of, () -> new EnumMap<>(Group.class), Collectors.toList()));
        groups.forEach((group, metrics) -> {
            boolean several = metrics.stream().anyMatch(this::varies);
            TextTable table = several
                    ? new TextTable(group.title, ">value", ">least", ">most")
                    : new TextTable(group.title, ">value");
            metrics.forEach(metric -> {
                double[] values = ProfileValue.values(profile.executions(), metric);
                String value = shown(metric, profile.number(metric).orElseThrow());
                if (several) {
                    table.row(
                            metric,
                            value,
                            varies(metric) ? shown(metric, least(values)) : "",
                            varies(metric) ? shown(metric, most(values)) : "");
                } else {
                    table.row(metric, value);
                }
            });
            text.append('\n').append(table);
        });
    }

    private TreeSet<String> names() {
        return profile.executions().stream()
                .flatMap(execution -> execution.summary().values().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean varies(String metric) {
        double[] values = ProfileValue.values(profile.executions(), metric);
        return least(values) < most(values);
    }

    private static double least(double[] values) {
        return Arrays.stream(values).min().orElseThrow();
    }

    private static double most(double[] values) {
        return Arrays.stream(values).max().orElseThrow();
    }

    /**
     * Returns a value with the unit of its metric, if the unit is known.
     *
     * @param metric the name in summaries
     * @param value the value in the summary
     */
    public static String shown(String metric, double value) {
        Unit unit = ProfileMetrics.find(metric)
                .map(ProfileMetric::metric)
                .map(Metric::unit)
                .filter(known -> known != Unit.TEXT)
                .orElse(Unit.COUNT);
        return new Quantity(value, unit).toString();
    }

    private void executions(String title, List<TracedExecution> executions) {
        if (executions.isEmpty()) {
            return;
        }
        boolean ranks = executions.stream().anyMatch(each -> each.rank().isPresent());
        TextTable table = new TextTable(title, ranks ? ">rank" : "", "total_time", "trace", "");
        executions.forEach(execution -> table.row(
                "execution " + execution.index(),
                execution.worker().replaceFirst("^rank ", ""),
                time(execution).orElse("absent"),
                execution.ntff().toString(),
                execution.doubts().stream()
                        .map(doubt ->
                                doubt.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                        .collect(Collectors.joining(", "))));
        text.append('\n').append(table);
    }

    /** Returns the folders of the tables of a profile, each once. */
    public static List<String> tables(Profile profile) {
        return profile.executions().stream()
                .flatMap(execution -> execution.tablesFolder().stream())
                .map(PathText::of)
                .distinct()
                .toList();
    }

    /** Returns the commands that open the traces of a profile in the tool's own viewer, each once. */
    public static List<String> viewCommands(Profile profile) {
        return profile.executions().stream()
                .flatMap(execution -> profile.viewCommand(execution).stream())
                .distinct()
                .toList();
    }

    private static Optional<String> time(TracedExecution execution) {
        return execution.summary().number("total_time").stream()
                .mapToObj(time -> shown("total_time", time))
                .findFirst();
    }

    private void oddities() {
        list(
                "Not kept as numbers",
                profile.executions().stream()
                        .flatMap(execution -> execution.summary().oddities().stream())
                        .distinct()
                        .toList());
    }

    private void versions() {
        List<String> texts = names().stream()
                .filter(metric -> profile.text(metric).isPresent())
                .map(metric -> metric + " " + profile.text(metric).orElseThrow())
                .toList();
        list("Versions", texts);
    }

    private void run(ToolRun run) {
        text.append("\n--- %s (%s after %s) ---\n"
                .formatted(String.join(" ", run.command()), run.end(), Quantity.of(run.took(), Unit.SECONDS)));
        text.append(run.log());
        text.append(run.log().isEmpty() || run.log().endsWith("\n") ? "" : "\n");
    }
}
