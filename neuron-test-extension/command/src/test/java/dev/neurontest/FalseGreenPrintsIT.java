package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.neurontest.assertj.NeuronAssertions;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.command.CommandFixture;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.workload.NeuronWorkload;
import dev.neurontest.workload.Workloads;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Tests of workloads with prints that are lost or of another core, run by JUnit's launcher. JUnit's result, the text of
 * the report and the exit status of the gate agree on each.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the workloads are shell scripts")
class FalseGreenPrintsIT {

    @TempDir
    private Path output;

    /** Returns a program that writes prints as a framework does, in folders named by prefix, core and number. */
    private static NeuronWorkload.Builder program(Workloads workloads, String... folders) {
        String script = """
                for folder in %s; do
                    mkdir -p "$NEURON_RT_DEBUG_OUTPUT_DIR/$folder"
                    printf 'dtype = int8\\nshape = (2,)\\n' > "$NEURON_RT_DEBUG_OUTPUT_DIR/$folder/metadata.txt"
                    printf ab > "$NEURON_RT_DEBUG_OUTPUT_DIR/$folder/tensor_data.bin"
                done
                """.formatted(String.join(" ", folders));
        return workloads.command("sh", "-c", script);
    }

    private static void print(Workloads workloads, String... folders) {
        program(workloads, folders).run();
    }

    @NeuronTest
    static class WholeFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 2)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/0", "acc/core_0/1");
        }
    }

    @NeuronTest
    static class GapFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 2)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/0", "acc/core_0/2");
        }
    }

    @NeuronTest
    static class GapForValuesFixture {
        @Test
        @ExpectPrint(prefix = "acc", min = 1, noNaN = true)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/1", "acc/core_0/2");
        }
    }

    @NeuronTest
    static class GapForAssertionFixture {
        @Test
        void test(NeuronCore core, Workloads workloads, DevicePrints prints) {
            print(workloads, "acc/core_0/0", "acc/core_0/3");
            NeuronAssertions.assertThat(prints).withPrefix("acc").hasNoNaN();
        }
    }

    @NeuronTest
    static class GapForAtLeastFixture {
        @Test
        @ExpectPrint(prefix = "acc", min = 2)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/0", "acc/core_0/2");
        }
    }

    @NeuronTest
    static class OtherCoreFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 2)
        void test(@NeuronIndex(0) NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/0", "acc/core_1/0");
        }
    }

    @NeuronTest
    static class OnlyOtherCoreFixture {
        @Test
        @ExpectPrint(prefix = "acc", min = 1, noNaN = true)
        void test(@NeuronIndex(0) NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_1/0");
        }
    }

    @NeuronTest
    static class OtherCoreBesideFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(@NeuronIndex(0) NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/0", "acc/core_1/0");
        }
    }

    @NeuronTest
    static class NumberOfHostFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(@NeuronIndex(1) NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_1/0");
        }
    }

    @NeuronTest
    static class TwoCoresFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 2)
        void test(@Count(2) List<NeuronCore> cores, Workloads workloads) {
            print(workloads, "acc/core_0/0", "acc/core_1/0");
        }
    }

    @NeuronTest
    static class SameNumberOfTwoProgramsFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/0");
            print(workloads, "acc/core_0/0");
        }
    }

    @NeuronTest
    static class TwoProgramsFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 2)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/0");
            workloads.command("true").run();
            print(workloads, "acc/core_0/0");
        }
    }

    @NeuronTest
    static class StartedTwiceFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads) {
            NeuronWorkload.Builder program = program(workloads, "acc/core_0/0");
            program.run();
            program.run();
        }
    }

    @NeuronTest
    static class GapOfOneProgramFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 2)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/0");
            print(workloads, "acc/core_0/1");
        }
    }

    @NeuronTest
    static class BothNumbersFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 2)
        void test(@NeuronIndex(1) NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/0", "acc/core_1/0");
        }
    }

    @NeuronTest
    static class WrappedNumberFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/0", "acc/core_0/18446744073709551615");
        }
    }

    @NeuronTest
    static class OtherDigitsFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 2)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/0", "acc/core_0/00");
        }
    }

    @NeuronTest
    static class StrayForNoneFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 0)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "acc/core_0/-1");
        }
    }

    private static Arguments passes(Class<?> fixture, String line) {
        return arguments(fixture, 0L, line, 0);
    }

    private static Arguments fails(Class<?> fixture, String line) {
        return arguments(fixture, 1L, line, 1);
    }

    private static Stream<Arguments> worlds() {
        return Stream.of(
                passes(WholeFixture.class, "1 passed"),
                fails(GapFixture.class, "are numbered from 0 to 2, but 1 of these numbers"),
                fails(GapForValuesFixture.class, "are numbered from 0 to 2, but 1 of these numbers"),
                fails(GapForAssertionFixture.class, "are numbered from 0 to 3, but 2 of these numbers"),
                passes(GapForAtLeastFixture.class, "are numbered from 0 to 2, but 1 of these numbers"),
                fails(OtherCoreFixture.class, "1 print of core 1, which it does not hold"),
                fails(OnlyOtherCoreFixture.class, "1 print of core 1, which it does not hold"),
                passes(OtherCoreBesideFixture.class, "1 print of core 1, which it does not hold"),
                passes(NumberOfHostFixture.class, "1 passed"),
                fails(SameNumberOfTwoProgramsFixture.class, "expected exactly 1, was 2"),
                fails(StartedTwiceFixture.class, "expected exactly 1, was 2"),
                passes(TwoProgramsFixture.class, "1 passed"),
                fails(GapOfOneProgramFixture.class, "are numbered from 0 to 1, but 1 of these numbers"),
                fails(BothNumbersFixture.class, "1 print of core 0, which it does not hold"),
                fails(WrappedNumberFixture.class, "events may be such a print"),
                fails(OtherDigitsFixture.class, "events may be such a print"),
                fails(StrayForNoneFixture.class, "events may be such a print"),
                passes(TwoCoresFixture.class, "1 passed"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("worlds")
    void resultReportAndGateAgree(Class<?> fixture, long failed, String line, int status) {
        // when
        TestExecutionSummary summary =
                new NeuronTestKit(output).with("neuron.test.summary", "false").launch(fixture);
        CommandFixture report =
                CommandFixture.run("report", output.resolve("run").toString(), "--gate");

        // then
        assertThat(summary.getTestsFailedCount())
                .as(() -> summary.getFailures().toString())
                .isEqualTo(failed);
        assertThat(report.out().replaceAll("\\s+", " ")).contains(line);
        assertThat(report.status()).as(report.out()).isEqualTo(status);
    }
}
