package dev.neurontest;

import static dev.neurontest.NeuronTestKit.failures;
import static dev.neurontest.NeuronTestKit.onlyFailure;
import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.cluster.ClusterWorkload;
import dev.neurontest.cluster.NeuronCluster;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.print.PrintSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests of prints of programs on several hosts, each a fake host with an agent of its own. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class SeveralHostsPrintsIT {

    /** Prints the rank as an integer tensor to files, in iteration {@code $1} of prefix {@code $2} on core {@code $3}. */
    private static final String TO_FILE = """
            print() {
                folder="$NEURON_RT_DEBUG_OUTPUT_DIR/$2/core_$3/$1"
                mkdir -p "$folder" && printf 'dtype = int32\\nshape = (2,)\\ndata_size = 8\\n' > "$folder/metadata.txt"
                printf "\\\\$RANK\\\\0\\\\0\\\\0\\\\$(printf %o $1)\\\\0\\\\0\\\\0" > "$folder/tensor_data.bin"
            }
            """;

    private static final String TO_TEXT = "echo \"loss dtype: float32 shape: (2,)\"; echo \"[$RANK 2]\"";

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on("fake:2xtrn1.2xlarge");
    }

    private static void runOnEachCore(NeuronCluster cluster, String script) {
        cluster.workloads()
                .perCore("sh", "-c", script)
                .timeout(Duration.ofMinutes(1))
                .run();
    }

    @NeuronTest
    static class TextFixture {

        @Test
        @ExpectPrint(prefix = "loss", count = 1, noNaN = true)
        void test(@Hosts(2) NeuronCluster cluster, DevicePrints prints) {
            runOnEachCore(cluster, TO_TEXT);
            assertThat(prints).hasSize(4);
            assertThat(prints).onRank(2).onlyTensor().isEqualTo(new float[] {2, 2});
            assertThat(prints.onRank(2).get(0).source()).contains(new PrintSource(2, "host1"));
            assertThatThrownBy(() -> prints.onRank(4))
                    .hasMessageContaining("No program of rank 4 has ended")
                    .hasMessageContaining("rank 0 on host0");
        }
    }

    @Test
    void printsInStandardOutputBelongToTheirRanks() {
        assertThat(failures(kit().run(TextFixture.class))).isEmpty();
    }

    @NeuronTest
    static class FilesFixture {

        @Test
        @ExpectPrint(prefix = "layer/1/out/of/many", count = 12)
        void test(@Hosts(2) NeuronCluster cluster, DevicePrints prints) {
            runOnEachCore(
                    cluster, TO_FILE + "for i in 0 1 2 3 4 5 6 7 8 9 10 11; do print $i layer/1/out/of/many 0; done");
            assertThat(prints.onRank(1).onCore(0).all())
                    .hasSize(12)
                    .allSatisfy(print -> assertThat(print.origin()).isEqualTo(PrintOrigin.FILES));
            for (int i = 0; i < 12; i++) {
                assertThat(prints).onRank(3).tensor(i).isEqualTo(new int[] {3, i});
            }
            assertThat(prints.all()).extracting(DevicePrint::order).doesNotHaveDuplicates();
            assertThat(prints.toText()).contains("print 12 \"layer/1/out/of/many\" (rank 1 on host0) on core 0");
            assertThat(prints.toJson()).contains("\"rank\":3,\"host\":\"host1\"");
        }
    }

    @Test
    void filesOfFrameworksKeepTheirOrderAndRank() {
        assertThat(failures(kit().run(FilesFixture.class))).isEmpty();
    }

    @NeuronTest
    static class MissingFixture {

        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(@Hosts(2) NeuronCluster cluster) {
            runOnEachCore(cluster, TO_FILE + "test $RANK = 3 || print 0 acc 0; test $RANK != 0 || print 1 acc 0");
        }
    }

    @Test
    void missingPrintOfOneRankFailsTestAndNamesRank() {
        // given
        NeuronTestKit kit = kit();

        // when
        Throwable failure = onlyFailure(kit.run(MissingFixture.class));

        // then
        assertThat(failure).hasMessageContaining("exactly 1 by each rank");
        assertThat(kit.events(RunEvent.Violated.class))
                .extracting(violated -> violated.violation().subject() + ": "
                        + violated.violation().actual())
                .containsExactly(
                        "number of prints of \"acc\" by rank 3 on host1: 0",
                        "number of prints of \"acc\" by rank 0 on host0: 2");
    }

    @NeuronTest
    static class OtherCoreFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster, DevicePrints prints) {
            runOnEachCore(cluster, TO_FILE + "print 0 acc 0; test $RANK != 2 || print 0 acc 1");
            assertThat(prints).hasSize(4);
            assertThat(prints.toText()).contains("rank 2 on host1: The test ignored 1 print of core 1");
        }
    }

    @Test
    void coreOfAnotherRankIsIgnoredWithNotice() {
        assertThat(failures(kit().run(OtherCoreFixture.class))).isEmpty();
    }

    @NeuronTest
    static class LostHostFixture {

        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(@Hosts(2) NeuronCluster cluster, @TempDir Path shared) throws IOException {
            Path isStarted = shared.resolve("started");
            ClusterWorkload workload = cluster.workloads()
                    .perHost(
                            "sh",
                            "-c",
                            "RANK=$GROUP_RANK; " + TO_FILE + "print 0 acc 0; test $RANK = 0 && exit 0;"
                                    + " until test -e \"$IS_STARTED\"; do sleep 0.1; done; kill -9 $PPID; sleep 600")
                    .environment("IS_STARTED", isStarted.toString())
                    .timeout(Duration.ofMinutes(2))
                    .start();
            Files.createFile(isStarted);
            workload.await();
        }
    }

    @Test
    void lostHostLeavesPrintsUndecided() {
        // given
        NeuronTestKit kit = kit();

        // when
        failures(kit.run(LostHostFixture.class));

        // then
        assertThat(kit.events(RunEvent.LeftUndecided.class))
                .extracting(RunEvent.LeftUndecided::undecided)
                .anySatisfy(undecided -> {
                    assertThat(undecided.subject()).isEqualTo("number of prints of \"acc\" by rank 1 on host1");
                    assertThat(undecided.reason()).contains("Prints of 1 program may be missing", "rank 1 on host1");
                });
    }

    @NeuronTest
    static class RunningFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster, DevicePrints prints) {
            ClusterWorkload running = cluster.workloads().perHost("sleep", "60").start();
            assertThatThrownBy(() -> assertThat(prints).isEmpty()).hasMessageContaining("there may have been more");
            running.stop();
        }
    }

    @Test
    void printsOfRunningProgramsAreNotComplete() {
        assertThat(failures(kit().run(RunningFixture.class))).isEmpty();
    }

    @NeuronTest
    static class NothingStartedFixture {

        @Test
        @ExpectPrint(prefix = "error", count = 0)
        void test(@Hosts(2) NeuronCluster cluster) {}
    }

    @Test
    void noPrintIsNotProvenWithoutProgram() {
        // when
        Throwable failure = onlyFailure(kit().run(NothingStartedFixture.class));

        // then
        assertThat(failure).hasMessageContaining("undecided").hasMessageContaining("No program was started");
    }

    @NeuronTest
    static class PythonFixture {

        @Test
        @ExpectPrint(prefix = "loss", count = 1)
        void test(@Hosts(2) NeuronCluster cluster) {
            runOnEachCore(cluster, TO_TEXT);
        }
    }

    @Test
    void readerInPythonProgramsLeavesExpectationUndecided() {
        assertThat(onlyFailure(
                        kit().with("neuron.test.print.workloads", "python").run(PythonFixture.class)))
                .hasMessageContaining("need neuron.test.print.workloads=files");
    }
}
