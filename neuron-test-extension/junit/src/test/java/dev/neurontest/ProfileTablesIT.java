package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Profiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of expectations on the tables of a profile, captured by the stand-in tools of a fake host. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools are shell scripts")
class ProfileTablesIT {

    private static final String NEFF = "target/profile-tables/attention.neff";

    @TempDir
    private Path output;

    @BeforeAll
    static void compile() throws IOException {
        Files.createDirectories(Path.of(NEFF).getParent());
        FakeNeff.builder().name("attention").time(Duration.ofMillis(16)).write(Path.of(NEFF));
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    private List<Path> attached(String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(output.resolve("junit"))) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }

    @NeuronTest
    static class KeptFixture {
        @Test
        @ProfileNeff(NEFF)
        @ProfileSql(value = "select count(*) from instruction", min = "1")
        @ProfileSql("select * from warning where category = 'Missing Data'")
        @Threshold(line = "attention.py:120", max = "1 min")
        @Threshold(layer = "layer0", max = "1 min")
        @ExpectCleanProfile
        @MaxMemory(hbm = "1 TiB", sbuf = "98 %", psum = "98 %", tensor = "1 TiB")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class TakesTheProfileFixture {
        @Test
        @ProfileNeff(value = NEFF, tables = true)
        void test(NeuronCore core, Profile profile) {
            assertThat(profile.tables())
                    .query("select count(distinct engine) from instruction")
                    .isAtLeast("1");
        }

        @Test
        @ProfileSql(value = "select count(*) from instruction", max = "0")
        void captures(NeuronCore core, Profiler profiler) {
            profiler.capture(Path.of(NEFF)).run();
        }
    }

    @NeuronTest
    static class SlowLineFixture {
        @Test
        @ProfileNeff(NEFF)
        @Threshold(line = "attention.py:120", max = "1 ns")
        @Threshold(line = "attention.py:121", max = "1 ms")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class UncleanFixture {
        @Test
        @ProfileNeff(NEFF)
        @ExpectCleanProfile(warnings = "missing data")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("warning", "Missing Data", "<b>Notifications</b> were dropped.");
            fake.profiler().script("warning", "Schema", "Unexpected key.");
            fake.profiler().script("hardware-error", "DMA abort");
        }
    }

    @NeuronTest
    static class MisspeltQueryFixture {
        @Test
        @ProfileNeff(NEFF)
        @ProfileSql(value = "select sum(duration_ns) from", max = "1 ms")
        void test(NeuronCore core) {
            throw new IllegalStateException("the body");
        }
    }

    @NeuronTest
    static class ImpossibleNamesFixture {
        @Test
        @ProfileNeff(NEFF)
        @ProfileSql("select * from instuction")
        void table(NeuronCore core) {
            throw new IllegalStateException("the body");
        }

        @Test
        @ProfileNeff(NEFF)
        @ProfileSql(
                "with slow as (select layer, sum(duraton_ns) as took from Instruction group by layer) select took from slow")
        void column(NeuronCore core) {
            throw new IllegalStateException("the body");
        }

        @Test
        @ProfileNeff(NEFF)
        @ProfileSql("select i.layer from instruction i where i.colour = 'red'")
        void columnOfAlias(NeuronCore core) {
            throw new IllegalStateException("the body");
        }
    }

    @NeuronTest
    static class NoSelectFixture {
        @Test
        @ProfileNeff(NEFF)
        @ProfileSql("")
        void nothing(NeuronCore core) {
            throw new IllegalStateException("the body");
        }

        @Test
        @ProfileNeff(NEFF)
        @ProfileSql("select 1; select 2")
        void several(NeuronCore core) {
            throw new IllegalStateException("the body");
        }
    }

    @NeuronTest
    static class FullBufferFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxMemory(sbuf = "90 %")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class RenamedColumnFixture {
        @Test
        @ProfileNeff(NEFF)
        @ProfileSql(value = "select sum(duration_ns) from instruction where layer = 'layer0'", max = "1 h")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("no-table", "SchemaFields");
            fake.profiler().script("renamed", "Instruction.layer", "module");
        }
    }

    @NeuronTest
    static class NoTablesFixture {
        @Test
        @ProfileNeff(NEFF)
        @ProfileSql(value = "select count(*) from instruction", min = "1")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("no-format", "parquet");
        }
    }

    @NeuronTest
    static class CutShortFixture {
        @Test
        @ProfileNeff(NEFF)
        @ProfileSql(value = "select count(*) from instruction", min = "1")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("table-bytes", "Instruction", 500);
        }
    }

    @NeuronTest
    static class TooMuchMemoryFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxMemory(hbm = "1 B")
        void test(NeuronCore core) {}
    }

    @Test
    void areWrittenForExpectationsAndAttached() throws IOException {
        // when
        EngineExecutionResults results =
                kit().with("neuron.test.evidence", "always").run(KeptFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        assertThat(attached("-tables.txt"))
                .singleElement()
                .satisfies(file -> assertThat(file)
                        .content()
                        .startsWith("Contents of the tables: ")
                        .contains("Not in the tables: warnings, hardware errors")
                        .contains("Source lines by time\n")
                        .contains("attention.py:120"));
        assertThat(attached(".html"))
                .isNotEmpty()
                .anySatisfy(file -> assertThat(file).content().contains("Source lines by time"));
    }

    @Test
    void areWrittenForCapturesOfTest() {
        assertThat(onlyFailure(kit().run(TakesTheProfileFixture.class)))
                .hasMessageContaining("select count(*) from instruction\n  expected at most 0\n  was ")
                .hasMessageContaining("count_star()");
    }

    @Test
    void showTimeOfLineAndNearestLines() {
        assertThat(onlyFailure(kit().run(SlowLineFixture.class)))
                .hasMessageContaining("2 expectations violated")
                .hasMessageContaining("line attention.py:120\n  expected at most 1 ns\n  was ")
                .hasMessageContaining("line attention.py:121\n  expected at most 1 ms\n  was absent\n")
                .hasMessageContaining("Nearest in ")
                .hasMessageContaining("-tables: attention.py:120, attention.py:127");
    }

    @Test
    void showWarningsAndHardwareErrors() throws IOException {
        assertThat(onlyFailure(kit().run(UncleanFixture.class)))
                .hasStackTraceContaining("warnings of the profiler\n  expected no rows\n  was 1 row\n")
                .hasStackTraceContaining("<b>Notifications</b> were dropped.")
                .hasStackTraceContaining("hardware errors in the profile\n  expected no rows\n  was 1 row\n")
                .hasStackTraceContaining("DMA abort");
        assertThat(attached(".html"))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(file).content().doesNotContain("<b>Notifications</b>"));
    }

    @Test
    void refuseQueryWithSyntaxErrorBeforeBodyRuns() {
        assertThat(onlyFailure(kit().run(MisspeltQueryFixture.class)))
                .hasMessageContaining("@ProfileSql(value = \"select sum(duration_ns) from\", max = \"1 ms\"): "
                        + "the query cannot be read:\nParser Error")
                .hasMessageContaining("LINE 1: ");
    }

    @Test
    void refuseQueryOfNameOutsideSchemaBeforeBodyRuns() {
        // when
        List<Throwable> failures = NeuronTestKit.failures(kit().run(ImpossibleNamesFixture.class));

        // then
        assertThat(failures)
                .extracting(Throwable::getMessage)
                .satisfiesExactlyInAnyOrder(
                        table -> assertThat(table)
                                .startsWith("@ProfileSql(\"select * from instuction\"): neuron-explorer 2.3")
                                .endsWith(" writes no table \"instuction\". Did you mean Instruction?"),
                        column -> assertThat(column)
                                .endsWith(" writes no column \"duraton_ns\". Did you mean duration_ns?"),
                        ofAlias -> assertThat(ofAlias)
                                .endsWith(" writes no column \"colour\". Its option --show-profile-schema lists all."));
    }

    @Test
    void refuseQueryOtherThanOneSelectBeforeBodyRuns() {
        assertThat(NeuronTestKit.failures(kit().run(NoSelectFixture.class)))
                .hasSize(2)
                .allSatisfy(failure -> assertThat(failure)
                        .hasMessageStartingWith("@ProfileSql")
                        .hasMessageContaining("only one SELECT is accepted, but this is something else: "));
    }

    @Test
    void fullBufferExceedsMemoryLimit() {
        assertThat(onlyFailure(kit().run(FullBufferFixture.class)))
                .hasMessageContaining("peak of SBUF")
                .hasMessageContaining("at most 90 %")
                .hasMessageContaining("was 97 %");
    }

    @Test
    void missingColumnIsReportedAsQueryMistake() {
        assertThat(onlyFailure(kit().run(RenamedColumnFixture.class)))
                .hasMessageContaining("1 expectation violated")
                .hasMessageContaining("Correct the query.")
                .hasMessageContainingAll("Referenced column \"layer\" not found", "Candidate bindings");
    }

    @Test
    void leaveExpectationUndecidedWithoutTables() {
        assertThat(onlyFailure(kit().run(NoTablesFixture.class)))
                .hasMessageContaining("1 expectation undecided")
                .hasMessageContaining("has no tables");
    }

    @Test
    void leaveExpectationUndecidedWhenTableIsTruncated() {
        assertThat(onlyFailure(kit().run(CutShortFixture.class)))
                .hasMessageContaining("1 expectation undecided")
                .hasMessageContaining("cannot be read");
    }

    @Test
    void limitMemory() {
        assertThat(onlyFailure(kit().run(TooMuchMemoryFixture.class)))
                .hasMessageContaining("HBM of one core\n  expected at most 1 B\n  was ")
                .hasMessageContaining("Query: SELECT max(usage_bytes)");
    }
}
