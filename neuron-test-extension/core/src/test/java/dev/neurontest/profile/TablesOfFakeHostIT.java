package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.profile.Throttling;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the tables of the stand-in, which writes them with separate code. */
class TablesOfFakeHostIT {

    private static FakeNeuronHost trn1;
    private static FakeNeuronHost trn2;

    @TempDir
    Path root;

    @BeforeAll
    static void start() throws IOException {
        trn1 = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
        trn2 = FakeNeuronHost.builder().instance("trn2.3xlarge").start();
    }

    @AfterAll
    static void stop() {
        trn1.close();
        trn2.close();
    }

    @BeforeEach
    void reset() {
        trn1.profiler().reset();
        trn2.profiler().reset();
        version(trn1, "2.32.7.0");
    }

    private static void version(FakeNeuronHost fake, String version) {
        fake.profiler().tool("neuron-explorer", "working " + version);
    }

    private NeffCapture capture(FakeNeuronHost fake, int lnc) throws IOException {
        NeuronHost host = NeuronHost.discover(FileTree.at(fake.directory()));
        return ToolFixture.ofFakeHost(fake.directory(), host, root.resolve("out"), Map.of())
                .capture(neff(lnc));
    }

    private Path neff(int lnc) throws IOException {
        return FakeNeff.builder()
                .name("model.neff")
                .uuid(new UUID(0x123456789abcdef0L, 0x1122334455667788L))
                .lnc(lnc)
                .time(Duration.ofMillis(17))
                .write(root.resolve("model.neff"));
    }

    private Profile tables() throws IOException {
        return capture(trn1, 1).also(TraceExport.TABLES).run();
    }

    private static Map<String, Double> numbers(ProfileSummary summary) {
        return summary.values().entrySet().stream()
                .filter(metric -> metric.getValue() instanceof Double)
                // Only the tables have this metric.
                .filter(metric -> !metric.getKey().equals("cc_participant_count"))
                .collect(Collectors.toMap(Map.Entry::getKey, metric -> (Double) metric.getValue()));
    }

    @ParameterizedTest
    @CsvSource({"2.31.1, 1", "2.32.7, 1", "2.32.7, 2", "2.33.0, 1", "2.33.0, 2", "2.34.0, 1", "2.34.0, 2"})
    void tablesAgreeWithSummary(String version, int lnc) throws IOException {
        // given
        FakeNeuronHost fake = lnc == 1 ? trn1 : trn2;
        version(fake, version);

        // when
        Profile bySummary = capture(fake, lnc).run();
        Profile byTables = capture(fake, lnc).also(TraceExport.TABLES).run();

        // then
        ProfileSummary summary = bySummary.executions().get(0).summary();
        ProfileSummary table = byTables.executions().get(0).summary();
        assertThat(byTables.allDoubts()).isEmpty();
        assertThat(byTables.notices()).isEqualTo(bySummary.notices());
        assertThat(byTables.runs()).as("one processing serves both").hasSize(2);
        assertThat(table.number(MetricNames.TOTAL_TIME)).hasValue(0.017);
        assertThat(numbers(table).keySet()).hasSizeGreaterThan(50);
        assertThat(numbers(summary)).containsAllEntriesOf(numbers(table));
        assertThat(table.text("profile_schema_version")).isPresent();
        assertThat(table.text("instance_type")).contains(lnc == 1 ? "trn1.2xlarge" : "trn2.3xlarge");
        assertThat(table.values()).containsKeys("compiler_version", "runtime_version", "driver_version");
    }

    @Test
    void eachRankHasSeparateTables() throws IOException {
        // when
        Profile profile = capture(trn1, 1)
                .collectives(Collectives.of(2))
                .also(TraceExport.TABLES)
                .run();

        // then
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.executions()).hasSize(2);
        assertThat(profile.executions().stream()
                        .map(execution -> execution.tables().orElseThrow().folder()))
                .doesNotHaveDuplicates();
    }

    @Test
    void throttlingClassesOfTablesAndSummaryDiffer() throws IOException {
        // given
        trn1.profiler().script("throttle", 0.4);

        // when
        Profile bySummary = capture(trn1, 1).run();
        Profile byTables = tables();

        // then
        assertThat(byTables.allDoubts()).extracting(Doubt::kind).containsExactly(Doubt.Kind.THROTTLED);
        assertThat(bySummary.throttleClass()).contains(" at ");
        assertThat(byTables.throttleClass()).contains("40 %").doesNotContain(" at ");
        assertThat(Throttling.isSame(bySummary.throttleClass(), byTables.throttleClass()))
                .isFalse();
        assertThat(Throttling.isNear(bySummary.throttleClass(), byTables.throttleClass()))
                .isFalse();
    }

    @Test
    void doubtsLostNotificationsAndErrors() throws IOException {
        // given
        trn1.profiler()
                .script("warning", "Missing Data", "Notification from block NC of type INSTRUCTION were dropped.")
                .script("hardware-error", "parity");

        // then
        assertThat(tables().allDoubts())
                .extracting(Doubt::kind)
                .containsExactly(Doubt.Kind.DROPPED_NOTIFICATIONS, Doubt.Kind.EXECUTION_ERRORS);
    }

    @Test
    void fallsBackToTheSummaryWhereTablesAreCut() throws IOException {
        // given
        trn1.profiler().script("table-bytes", "DmaPacket", 100);

        // when
        Profile profile = tables();

        // then
        assertThat(profile.executions().get(0).tables()).isEmpty();
        assertThat(profile.number(MetricNames.TOTAL_TIME)).hasValue(0.017);
        assertThat(profile.notices())
                .anySatisfy(notice -> assertThat(notice).contains("its output is invalid. The table DmaPacket in "));
    }

    @Test
    void fallsBackToTheSummaryWhereATableIsMissing() throws IOException {
        // given
        trn1.profiler().script("no-table", "Instruction");

        // when
        Profile profile = tables();

        // then
        assertThat(profile.executions().get(0).tables()).isEmpty();
        assertThat(profile.notices()).anySatisfy(notice -> assertThat(notice).contains("has no table Instruction"));
    }

    @Test
    void readsTablesOfAToolWithoutSummary() throws IOException {
        // given
        version(trn1, "2.36.0");
        trn1.profiler().script("no-format", "summary-json");

        // when
        Profile profile = capture(trn1, 1).run();

        // then
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.number(MetricNames.TOTAL_TIME)).hasValue(0.017);
        assertThat(profile.notices())
                .anySatisfy(notice -> assertThat(notice).contains("does not support --output-format summary-json"));
    }

    @Test
    void writesTablesWhenToolHasNoFullJson() throws IOException {
        // given
        version(trn1, "2.34.0");

        // when
        Profile profile = capture(trn1, 1).also(TraceExport.FULL_JSON).run();

        // then
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.tables().names()).contains("Instruction", "Summary");
        assertThat(profile.notices()).anySatisfy(notice -> assertThat(notice).contains("no longer writes full JSON"));
    }
}
