package dev.neurontest.profile;

import dev.neurontest.internal.profile.table.TableFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A builder of profiles from plain values. */
public final class MeasuredFixture {

    private final List<TracedExecution> executions = new ArrayList<>();
    private final List<Doubt> doubts = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final List<ToolRun> runs = new ArrayList<>();
    private String title = "resnet50.neff";
    private Path folder = Path.of("/out/resnet50");
    private Optional<String> viewer = Optional.of("neuron-explorer");

    /** Returns metrics. Numbers may have any type, and are converted like those of a summary. */
    public static Map<String, Object> metrics(Object... namesAndValues) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            values.put((String) namesAndValues[i], value instanceof Number number ? number.doubleValue() : value);
        }
        return values;
    }

    public static MeasuredFixture of(Object... namesAndValues) {
        return new MeasuredFixture().and(namesAndValues);
    }

    /** Returns a profile of one execution with the summary of a genuine tool. */
    public static Profile sample(String name) {
        List<Object> namesAndValues = new ArrayList<>();
        SampleFixture.summary(name).values().forEach((metric, value) -> namesAndValues.addAll(List.of(metric, value)));
        return of(namesAndValues.toArray()).profile();
    }

    public static MeasuredFixture nothing() {
        return new MeasuredFixture();
    }

    /** Creates a fixture with traces in an existing folder, to allow tables. */
    public static MeasuredFixture in(Path folder) {
        MeasuredFixture fixture = new MeasuredFixture();
        fixture.folder = folder;
        return fixture;
    }

    /** Adds a table to the last execution; see {@link TableFixture#write}. */
    public MeasuredFixture table(String file, String select) {
        Path tables =
                TraceExport.TABLES.of(executions.get(executions.size() - 1).ntff());
        try {
            TableFixture.write(Files.createDirectories(tables), file, select);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Adds an execution of the only worker. */
    public MeasuredFixture and(Object... namesAndValues) {
        return execution(OptionalInt.empty(), metrics(namesAndValues), List.of(), List.of());
    }

    public MeasuredFixture rank(int rank, Object... namesAndValues) {
        return execution(OptionalInt.of(rank), metrics(namesAndValues), List.of(), List.of());
    }

    public MeasuredFixture odd(String oddity, Object... namesAndValues) {
        return execution(OptionalInt.empty(), metrics(namesAndValues), List.of(oddity), List.of());
    }

    public MeasuredFixture doubtful(Doubt.Kind kind, String reason, Object... namesAndValues) {
        return execution(OptionalInt.empty(), metrics(namesAndValues), List.of(), List.of(new Doubt(kind, reason)));
    }

    private MeasuredFixture execution(
            OptionalInt rank, Map<String, Object> values, List<String> oddities, List<Doubt> itsDoubts) {
        int index = 1
                + (int) executions.stream()
                        .filter(each -> each.rank().equals(rank))
                        .count();
        String ofRank = rank.isPresent() ? "_rank_" + rank.getAsInt() : "";
        executions.add(new TracedExecution(
                Path.of("/models", title),
                folder.resolve("profile%s_exec_%s.ntff".formatted(ofRank, index)),
                rank,
                Optional.empty(),
                index,
                Optional.empty(),
                new ProfileSummary("n_8626d546eca84cd4e976c1062dacf487d24bc675", values, oddities),
                itsDoubts));
        return this;
    }

    /** Adds another graph with these metrics to the last execution. */
    public MeasuredFixture graph(String key, Object... namesAndValues) {
        TracedExecution last = executions.get(executions.size() - 1);
        executions.add(new TracedExecution(
                last.neff(),
                last.ntff(),
                last.rank(),
                last.host(),
                last.index(),
                Optional.empty(),
                new ProfileSummary(key, metrics(namesAndValues), List.of()),
                List.of()));
        return this;
    }

    public MeasuredFixture doubt(Doubt.Kind kind, String reason) {
        doubts.add(new Doubt(kind, reason));
        return this;
    }

    public MeasuredFixture notice(String notice) {
        notices.add(notice);
        return this;
    }

    public MeasuredFixture run(ToolRun run) {
        runs.add(run);
        return this;
    }

    public MeasuredFixture title(String wanted) {
        title = wanted;
        return this;
    }

    public MeasuredFixture viewer(Optional<String> program) {
        viewer = program;
        return this;
    }

    public Profile profile() {
        return new Profile(
                title,
                CaptureKind.REPLAY,
                "neuron-explorer 2.32.7.0",
                executions,
                List.of(),
                doubts,
                notices,
                runs,
                folder,
                viewer);
    }
}
