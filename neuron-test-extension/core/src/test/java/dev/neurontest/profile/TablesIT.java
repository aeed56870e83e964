package dev.neurontest.profile;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.internal.profile.report.ProfileFailure;
import dev.neurontest.internal.profile.table.TableFixture;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.workload.ChildEnd;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the tables of a trace after a capture. */
class TablesIT {

    /** A script that writes the tables of the test to the requested place and ends. */
    static final String WRITE = """
            written=
            while [ $# -gt 0 ]; do
                case "$1" in
                --output-file) written="$2" ;;
                --data-path) written="$2/profiles/global/trace@latest"; mkdir -p "$2/profiles/global" ;;
                --processing-status-file) [ ! -f "$here/status" ] || cp "$here/status" "$2" ;;
                esac
                shift
            done
            [ -z "$written" ] || { cp -r "$here/tables" "$written"; exit 0; }
            """;

    @TempDir
    Path root;

    private ToolFixture tool;
    private Path neff;
    private Path tables;

    @BeforeEach
    void tool() throws IOException {
        tool = new ToolFixture(root);
        neff = tool.neff("a.neff");
        tables = Files.createDirectories(tool.tool("tables"));
        table("Summary", "select 0.001 as total_time, 9::bigint as trace_count, 7::bigint as event_count");
        table("Instruction", "select range::bigint as duration_ns from range(4)");
        tool.beforeView(WRITE);
    }

    private void table(String name, String select) {
        TableFixture.write(tables, name, select);
    }

    private Profile profile() {
        return tool.profiler().capture(neff).also(TraceExport.TABLES).run();
    }

    @Test
    void printsCommandThatOpensTrace() throws IOException, InterruptedException {
        // given
        Profile profile = profile();
        tool.beforeView("exit 0\n");
        ProfileFailure failure = ProfileFailure.judged(
                ProfileExpectations.builder()
                        .expect(MetricExpectation.of("total_time", "1 us", "", "median"))
                        .build(),
                profile);
        String again = failure.text().split("To see its summary again:\n", 2)[1].strip();
        String open = profile.toText()
                .lines()
                .dropWhile(line -> !line.startsWith("To open it"))
                .skip(1)
                .findFirst()
                .orElseThrow()
                .strip();

        for (String command : List.of(again, open)) {
            // when
            Process shell =
                    new ProcessBuilder("/bin/sh", "-c", command).inheritIO().start();

            // then
            assertThat(shell.waitFor()).as(command).isZero();
        }
        assertThat(tool.calls()).containsExactly("capture", "view", "view", "view");
    }

    private static List<String> flags(Profile profile, int run) {
        List<String> command = profile.runs().get(run).command();
        return command.subList(command.indexOf("-s") + 2, command.size());
    }

    @Test
    void oneProcessingServesTablesAndSummary() {
        // when
        Profile profile = profile();

        // then
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.notices()).isEmpty();
        assertThat(tool.calls()).containsExactly("capture", "view");
        assertThat(flags(profile, 1))
                .containsSubsequence("--output-format", "parquet", "--output-file", "--ingest-only");
        assertThat(profile.number("total_time")).hasValue(0.001);
        assertThat(profile.tables()
                        .query("select sum(duration_ns) from instruction")
                        .number(0, 0))
                .hasValue(6);
        assertThat(profile.toText())
                .contains(
                        "Tables:\n  " + profile.tables().folder() + "\n",
                        "To open it in the viewer of the tool:\n  %s view -n %s -s "
                                .formatted(profile.viewer().orElseThrow(), neff));
        assertThat(profile.toJson())
                .contains("\"tables\":\"%s\"".formatted(profile.tables().folder()));
        assertThat(profile.tables().folder())
                .isEqualTo(profile.executions().get(0).ntff().resolveSibling("profile_exec_2-tables"));
    }

    @Test
    void eachRankHasSeparateTables() {
        // when
        Profile profile = tool.profiler()
                .capture(neff)
                .collectives(Collectives.of(2))
                .also(TraceExport.TABLES)
                .run();

        // then
        assertThat(profile.executions()).hasSize(2);
        assertThat(profile.executions().stream()
                        .map(execution -> execution.tables().orElseThrow().folder()))
                .doesNotHaveDuplicates();
    }

    @Test
    void readsTablesFromStoreWhenToolFailsToExport() {
        // given
        tool.beforeView("case \"$*\" in *parquet*) echo 'ERRO[0001] cannot export' >&2; exit 1 ;; esac\n" + WRITE);

        // when
        Profile first = profile();
        Profile second = profile();

        // then
        assertThat(first.allDoubts()).isEmpty();
        assertThat(first.notices()).isEmpty();
        assertThat(first.tables().names()).contains("Summary", "Instruction");
        assertThat(flags(first, 2))
                .containsSubsequence("--ingest-only", "--data-path", "--display-name", "trace", "--force");
        assertThat(second.runs()).as("it is remembered").hasSize(2);
    }

    @Test
    void readsTablesFromStoreWhenToolExportsNothing() {
        // given
        tool.beforeView("case \"$*\" in *parquet*) exit 0 ;; esac\n" + WRITE);

        // then
        assertThat(profile().tables().names()).contains("Summary", "Instruction");
    }

    @Test
    void omitsStatusFileFlagUnknownToTool() {
        // given
        tool.beforeView(
                "case \"$*\" in *processing-status-file*) echo 'unknown flag: --processing-status-file'; exit 1 ;; esac\n"
                        + WRITE);

        // when
        Profile first = profile();
        Profile second = profile();

        // then
        assertThat(first.allDoubts()).isEmpty();
        assertThat(first.tables().names()).contains("Summary");
        assertThat(second.runs()).as("it is remembered").hasSize(2);
    }

    @Test
    void fallsBackToSummaryWhenStatusIsNotSuccess() {
        // given
        tool.write(
                "opt/aws/neuron/bin/status", "{\"profiles\": [{\"status\": \"ERROR_PROCESS_INCOMPLETE\"}]}".getBytes());

        // when
        Profile profile = profile();

        // then
        assertFallsBack(profile, "ended well, but wrote the status \"ERROR_PROCESS_INCOMPLETE\" instead of success");
    }

    private static void assertFallsBack(Profile profile, String why) {
        assertThat(profile.executions()).allSatisfy(execution -> {
            assertThat(execution.tables()).isEmpty();
            assertThat(execution.summary().number("hardware_flops"))
                    .as("summary-json is read instead")
                    .hasValue(5);
        });
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.notices()).singleElement().asString().contains("-tables was not made: ", why);
    }

    @Test
    void fallsBackToTheSummaryWhereATableIsCut() throws IOException {
        // given
        Path instructions = tables.resolve("Instruction.parquet");
        byte[] whole = Files.readAllBytes(instructions);
        Files.write(instructions, Arrays.copyOf(whole, whole.length - 9));

        // then
        assertFallsBack(profile(), "its output is invalid. The table Instruction in ");
    }

    @Test
    void fallsBackToTheSummaryWhereATableIsMissing() throws IOException {
        // given
        Files.delete(tables.resolve("Instruction.parquet"));

        // then
        assertFallsBack(profile(), "has no table Instruction");
    }

    @Test
    void fallsBackToTheSummaryWhereTwoRunsAreInOneFolder() {
        // given
        table("Instruction_0", "select 1::bigint as duration_ns");

        // then
        assertFallsBack(profile(), "the files of another run are among them");
    }

    @Test
    void fallsBackToTheSummaryWhereTheTablesCannotBeWritten() {
        // given
        tool.beforeView("case \"$*\" in *ingest-only*) echo 'no space left on device' >&2; exit 1 ;; esac");

        // when
        Profile profile = profile();

        // then
        assertFallsBack(profile, "neuron-explorer exit code 1. It printed \"no space left on device\".");
        assertThat(profile.notices().get(0)).contains("Then, with --data-path: ");
    }

    @Test
    void profileIsUnreadableWithoutAnySummary() throws IOException {
        // given
        Files.delete(tables.resolve("Summary.parquet"));
        tool.summary("");

        // then
        assertThat(profile().allDoubts()).extracting(Doubt::kind).containsExactly(Doubt.Kind.UNREADABLE);
    }

    @Test
    void ignoresTablesThatExistAlready() {
        // given
        tool.afterCapture("mkdir \"${session}_exec_2-tables\"");

        // when
        Profile profile = profile();

        // then
        assertThat(profile.allDoubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(Doubt.Kind.UNREADABLE);
            assertThat(doubt.reason()).contains("-tables already exists. It is not overwritten");
        });
        assertThat(profile.executions().get(0).tables().orElseThrow().names()).isEmpty();
    }

    @Test
    void doubtsTablesOfAnotherNeff() {
        // given
        table("NeffHeader", "select '%s' as uuid".formatted(ToolFixture.OTHER_UUID));

        // then
        assertThat(profile().allDoubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(Doubt.Kind.OTHER_NEFF);
            assertThat(doubt.reason()).contains(ToolFixture.UUID, ToolFixture.OTHER_UUID);
        });
    }

    @Test
    void doubtsATraceThatLostNotifications() {
        // given
        table(
                "Warning",
                "select 'Notification from block NC of type DMA were dropped.' as message, 'Missing Data' as category");

        // then
        assertThat(profile().allDoubts())
                .singleElement()
                .extracting(Doubt::kind)
                .isEqualTo(Doubt.Kind.DOUBTFUL_DMA);
    }

    @Test
    void doubtsDeviceErrorsUnlessIgnored() {
        // given
        table("Error", "select 'parity' as description, 'Errors' as type");

        // when
        Profile doubtful = profile();
        Profile ignored = tool.profiler()
                .capture(neff)
                .ignoreExecErrors(true)
                .also(TraceExport.TABLES)
                .run();

        // then
        assertThat(doubtful.allDoubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(Doubt.Kind.EXECUTION_ERRORS);
            assertThat(doubt.reason()).contains("was traced: \"parity\"");
        });
        assertThat(ignored.allDoubts()).isEmpty();
        assertThat(ignored.notices())
                .singleElement()
                .asString()
                .startsWith("Errors of executions are ignored. The device reported errors");
    }

    @Test
    void doubtsSeveralSummariesOfOneExecution() {
        // given
        table("Summary", "select 0.001 as total_time from range(2)");

        // then
        assertThat(profile().allDoubts()).extracting(Doubt::kind).containsOnly(Doubt.Kind.IMPOSSIBLE_NUMBERS);
    }

    @Test
    void readsTablesWhenToolPrintsNoSummary() {
        // given
        tool.beforeView(
                "case \"$*\" in *summary-json*) echo \"Invalid value 'summary-json' for option '--output-format'. Allowed values are: parquet\" >&2; exit 1 ;; esac\n"
                        + WRITE);

        // when
        Profile first = tool.profiler().capture(neff).run();
        Profile second = tool.profiler().capture(neff).run();

        // then
        assertThat(first.allDoubts()).isEmpty();
        assertThat(first.number("total_time")).hasValue(0.001);
        assertThat(first.notices())
                .singleElement()
                .asString()
                .startsWith("neuron-explorer 2.32.7.0 does not support --output-format summary-json: the metrics of ");
        assertThat(first.executions().get(0).tables())
                .as("they were not asked for")
                .isEmpty();
        assertThat(second.runs()).as("it is remembered").hasSize(2);
    }

    @Test
    void profileIsUnreadableWhenToolWritesNothing() {
        // given
        tool.beforeView("echo 'unknown output format' >&2; exit 1");

        // when
        Profile profile = tool.profiler().capture(neff).run();

        // then
        assertThat(profile.allDoubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(Doubt.Kind.UNREADABLE);
            assertThat(doubt.reason()).contains("-tables was not made");
        });
    }

    @Test
    void writesTablesWhenToolRefusesFullJson() {
        // given
        tool.beforeView(
                "case \"$*\" in *\"output-format json\"*) echo 'unknown output format json' >&2; exit 1 ;; esac\n"
                        + WRITE);
        assertWritesTablesInstead();
    }

    @Test
    void writesTablesWhenToolWritesNoFullJson() {
        // given
        tool.beforeView("case \"$*\" in *\"output-format json\"*) exit 0 ;; esac\n" + WRITE);
        assertWritesTablesInstead();
    }

    private void assertWritesTablesInstead() {
        // when
        TracedExecution execution;
        Profile profile =
                tool.profiler().capture(neff).also(TraceExport.FULL_JSON).run();
        execution = profile.executions().get(0);

        // then
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(execution.fullJson()).isEmpty();
        assertThat(execution.tables().orElseThrow().names()).contains("Instruction");
        assertThat(profile.notices())
                .singleElement()
                .asString()
                .contains(
                        ".json was not made: neuron-explorer 2.32.7.0 no longer writes full JSON. Its tables, which contain the same, are in ");
    }

    @Test
    void usesSummaryAndKeepsTablesWithoutDuckDb() {
        // given
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("duckdb"))
                .collect(Collectors.joining(File.pathSeparator));

        // when
        ChildEnd end;
        String said;
        try (ChildProcess jvm = ChildProcess.command(JvmCommand.java(
                        "-cp",
                        classPath,
                        CaptureWithoutDuckDb.class.getName(),
                        root.resolve("other").toString(),
                        tables.toString()))
                .start()) {
            end = jvm.await(Duration.ofMinutes(2));
            said = jvm.stdout() + jvm.stderr();
        }

        // then
        assertThat(end.exitCode().orElseThrow().isZero()).as(said).isTrue();
        assertThat(said)
                .contains("total_time 0.001", "doubts []", "tables [Instruction, Summary]")
                .contains("-tables were written, but not read. DuckDB, which reads the tables of a profile")
                .contains(
                        "query DuckDB, which reads the tables of a profile, is not on the class path. Add org.duckdb:duckdb_jdbc");
    }

    @Test
    void interruptedTestKeepsItsTraces() throws Exception {
        // given
        tool.beforeView("touch \"$here/viewing\"; sleep 600");
        Profile[] made = new Profile[1];
        Thread test = new Thread(() -> {
            try {
                made[0] = profile();
            } catch (CaptureException e) {
                made[0] = e.profile();
            }
        });

        // when
        test.start();
        await().until(() -> Files.exists(tool.tool("viewing")));
        test.interrupt();
        test.join();

        // then
        assertThat(made[0].executions()).allSatisfy(execution -> {
            assertThat(execution.ntff()).isRegularFile();
            assertThat(execution.tables()).isEmpty();
        });
        assertThat(made[0].allDoubts())
                .extracting(Doubt::reason)
                .anySatisfy(reason -> assertThat(reason).contains("interrupted"));
    }
}
