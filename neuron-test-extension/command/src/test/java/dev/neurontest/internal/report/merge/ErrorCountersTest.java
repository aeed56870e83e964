package dev.neurontest.internal.report.merge;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.device.kernel.KernelLog;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.HostError;
import dev.neurontest.internal.report.RunReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorCountersTest {

    private static final String ECC = "neuron3 hardware/mem_ecc_uncorrected";
    private static final String CORE = "neuron3/neuron_core0";

    @TempDir
    Path folder;

    private static RunLinesFixture jvm(long pid, String machine) {
        return new RunLinesFixture(pid).started(machine).onHardware();
    }

    private static RunEvent host(String moment, String counters) {
        return host(moment, counters, "{}", "{}");
    }

    private static RunEvent host(String moment, String counters, String identities, String unhealthy) {
        return host(moment, counters, identities, unhealthy, "{}");
    }

    private static RunEvent host(
            String moment, String counters, String identities, String unhealthy, String kernelLog) {
        return RecordReader.EXACT.read(
                new JsonObject("{\"moment\":\"%s\",\"counters\":%s,\"identities\":%s,\"unhealthy\":%s,\"kernelLog\":%s}"
                        .formatted(moment, counters, identities, unhealthy, kernelLog)),
                RunEvent.HostErrors.class);
    }

    private static RunEvent logged(String moment, String kernelLog) {
        return host(moment, "{\"" + ECC + "\":0}", "{}", "{}", kernelLog);
    }

    private static RunEvent errors(String moment, long ecc) {
        return host(moment, "{\"%s\":%s,\"neuron3 hardware/sram_ecc\":0}".formatted(ECC, ecc));
    }

    private static RunEvent saw(TestId test, String where, long before, long after) {
        return saw(test, where, before, after, "violated");
    }

    private static RunEvent saw(TestId test, String where, long before, long after, String verdict) {
        return new RunEvent.Recorded(test, "counters", new JsonObject("""
                        {"version":2,"kind":"counters","cores":["x"],"%s":[
                         {"place":"neuron3/neuron_core0","counter":"status/timeout","field":"total","movement":"rose","before":0,"after":9},
                         {"place":"neuron3","counter":"hardware/mem_ecc_uncorrected","field":"value","unit":"count",
                          "movement":"rose","error":true,"before":%s,"after":%s,"delta":%s,"location":"/sys/x","attribution":"shared",
                          "verdict":"%s"}],
                         "deferredBy":{"neuron0":["4711"]},"restarted":"","settled":true}
                        """.formatted(
                        where, before, after, after - before & 0xffff, verdict)));
    }

    private RunReport merged() {
        return RunReports.merge(List.of(folder), jvm -> false);
    }

    private HostError theOne() {
        assertThat(merged().hostErrors()).hasSize(1);
        return merged().hostErrors().get(0);
    }

    /** A test over several hosts measures counters of the same names on other hosts. */
    @Test
    void countersOfAnotherHostExplainNothing() throws IOException {
        // given
        RunEvent.Recorded recorded = (RunEvent.Recorded) saw(test("t"), "moved", 0, 2);
        String ofAnotherHost = recorded.recording().text().replaceFirst("\\{", "{\"cluster\":true,");
        jvm(1, "a")
                .add(errors("start", 0))
                .begun(test("t"), "n2:neuron3/neuron_core0")
                .add(new RunEvent.Recorded(test("t"), "counters", new JsonObject(ofAnotherHost)))
                .ended(test("t"), Outcome.FAILED, "n2:neuron3/neuron_core0")
                .add(new RunEvent.PlanFinished())
                .add(errors("end", 2))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne().unexplained()).isEqualTo(2);
    }

    /** An attempt that failed explains errors only if its test fails in the end, or if it allows them. */
    @ParameterizedTest
    @CsvSource({"violated, PASSED, 2", "violated, FAILED, 0", "allowed, PASSED, 0"})
    void errorsOfReplacedAttemptRemain(String verdict, Outcome last, long unexplained) throws IOException {
        // given
        jvm(1, "a")
                .add(errors("start", 0))
                .begun(test("t"), "neuron3/neuron_core0")
                .add(saw(test("t"), "moved", 0, 2, verdict))
                .ended(test("t"), Outcome.FAILED, "neuron3/neuron_core0")
                .add(new RunEvent.PlanFinished())
                .ran(test("t"), last, "neuron3/neuron_core0")
                .add(new RunEvent.PlanFinished())
                .add(errors("end", 2))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne().unexplained()).isEqualTo(unexplained);
    }

    @ParameterizedTest
    @CsvSource({"PASSED, 1", "FAILED, 0"})
    void kernelLineOfReplacedAttemptRemains(Outcome last, long unexplained) throws IOException {
        // given
        jvm(1, "a")
                .add(host("start", "{\"%s\":0}".formatted(ECC), "{}", "{}", "{}"))
                .begun(test("t"), "neuron3/neuron_core0")
                .add(new RunEvent.Violated(
                        test("t"), new Violation(KernelLog.RULE, "neuron3", "no line", "[65.345678] DMA_ERROR", "")))
                .ended(test("t"), Outcome.FAILED, "neuron3/neuron_core0")
                .add(new RunEvent.PlanFinished())
                .ran(test("t"), last, "neuron3/neuron_core0")
                .add(new RunEvent.PlanFinished())
                .add(host("end", "{\"%s\":0}".formatted(ECC), "{}", "{}", "{\"neuron3 kernel log [65.345678]\":\"\"}"))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().hostErrors().stream()
                        .mapToLong(HostError::unexplained)
                        .sum())
                .isEqualTo(unexplained);
    }

    /** Verifies the changes of error counters E and S; a missing reading was not made. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "E:2,S:0    | E:5,S:0    | E of a went from 2 to 5: +3, no test explains 3 of it | -",
                "E:2,S:0    | E:2,S:0    | - | -",
                "E:5,S:0    | E:1,S:0    | E of a went from 5 to 1: at least +1 (decreased: written to, or driver reloaded), no test explains 1 of it | E of a went from 5 to 1, although the driver never lowers it: it was written to, or the driver was reloaded. Its count before that is unknown.",
                "E:5,S:0    | E:0,S:0    | - | E of a went from 5 to 0, although the driver never lowers it: it was written to, or the driver was reloaded. Its count before that is unknown.",
                "E:1,S:0    | -          | - | The error counters of a were read when the run began, but not when it ended: JVMs were killed. Errors in between are unknown.",
                "-          | E:1,S:0    | - | The error counters of a were read when the run ended, but not when it began. Errors in between are unknown.",
                "E:1,S:0    | S:0        | - | 1 error counter of a could be read when the run began, but not when it ended, such as E: changes are unknown.",
                "''         | E:1,S:0    | E of a went from 0 to 1: +1, no test explains 1 of it | 1 error counter of a could be read when the run ended, but not when it began, such as S: changes are unknown.",
                "E:null,S:0 | E:null,S:0 | - | 1 error counter of a could be read neither when the run began nor when it ended, such as E: changes are unknown.",
                "''         | ''         | - | No error counter of a could be read, neither when the run began nor when it ended. Errors between tests are unknown.",
            })
    void readingsOfOneJvmGiveErrorsAndProblems(String start, String end, String error, String problem)
            throws IOException {
        // given
        RunLinesFixture jvm = jvm(1, "a");
        Optional.ofNullable(start).ifPresent(counters -> jvm.add(host("start", json(counters))));
        Optional.ofNullable(end)
                .ifPresent(counters -> jvm.add(host("end", json(counters))).finished());
        jvm.writeTo(folder);

        // then
        assertThat(merged().hostErrors())
                .extracting(HostError::toString)
                .isEqualTo(
                        Stream.ofNullable(error).map(ErrorCountersTest::named).toList());
        assertThat(merged().problems())
                .isEqualTo(
                        Stream.ofNullable(problem).map(ErrorCountersTest::named).toList());
    }

    private static String json(String counters) {
        return "{" + named(counters.replaceAll("[ES]", "\"$0\"")) + "}";
    }

    private static String named(String text) {
        return text.replaceAll("\\bE\\b", ECC).replaceAll("\\bS\\b", "neuron3 hardware/sram_ecc");
    }

    @Test
    void countersWithAllBitsSetAreUnexplained() throws IOException {
        // given
        String timeouts = "{\"neuron3/neuron_core0 status/timeout\":%s,\"neuron3/neuron_core1 status/timeout\":%<s}";
        jvm(1, "a")
                .add(host("start", timeouts.formatted("2")))
                .add(host("end", timeouts.formatted("18446744073709551615")))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().hostErrors())
                .hasSize(2)
                .allSatisfy(error -> assertThat(error.toString())
                        .contains("went from 2 to 18446744073709551615: +18446744073709551613, no test explains"));
        assertThat(merged().hostErrors().stream()
                        .mapToLong(HostError::unexplained)
                        .sum())
                .isPositive();
    }

    @Test
    void errorSeenByTwoTestsIsExplainedOnce() throws IOException {
        // given
        jvm(1, "a")
                .add(errors("start", 2))
                .begun(test("t"), CORE)
                .add(saw(test("t"), "moved", 2, 4))
                .ended(test("t"), Outcome.FAILED, CORE)
                .add(errors("end", 4))
                .finished()
                .writeTo(folder);
        jvm(2, "a")
                .begun(test("u"), CORE)
                .add(saw(test("u"), "foreign", 2, 4))
                .ended(test("u"), Outcome.PASSED, CORE)
                .at("2026-11-21T09:10:00Z")
                .add(errors("end", 6))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne()).isEqualTo(new HostError("a", ECC, 2, 6, "+4", 4, 2));
    }

    @Test
    void overlappingJvmsCountFromEarliestStartToLatestEnd() throws IOException {
        // given
        jvm(1, "a")
                .at("2026-11-21T09:00:01Z")
                .add(errors("start", 1))
                .at("2026-11-21T09:05:00Z")
                .add(errors("end", 7))
                .finished()
                .writeTo(folder);
        jvm(2, "a")
                .at("2026-11-21T09:00:02Z")
                .add(errors("start", 3))
                .at("2026-11-21T09:02:00Z")
                .add(errors("end", 4))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne()).isEqualTo(new HostError("a", ECC, 1, 7, "+6", 6, 0));
    }

    @Test
    void countersClearedBetweenJvmsCountFromZero() throws IOException {
        // given
        jvm(1, "a").add(errors("start", 5)).add(errors("end", 5)).finished().writeTo(folder);
        jvm(2, "a")
                .at("2026-11-21T10:00:00Z")
                .add(errors("start", 0))
                .add(errors("end", 7))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne()).isEqualTo(new HostError("a", ECC, 0, 7, "+7", 7, 0));
        assertThat(merged().problems()).singleElement().asString().startsWith(ECC + " of a went from 5 to 0");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1"})
    void countersThatRoseBeforeClearingAreProblem(int start, int end) throws IOException {
        // given
        jvm(1, "a").add(errors("start", 0)).add(errors("end", 3)).finished().writeTo(folder);
        jvm(2, "a")
                .at("2026-11-21T10:00:00Z")
                .add(errors("start", start))
                .add(errors("end", end))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems())
                .singleElement()
                .asString()
                .startsWith("%s of a went from 3 to %s".formatted(ECC, start));
    }

    @Test
    void countersOfTwoMachinesAreNotMixed() throws IOException {
        // given
        jvm(1, "a").add(errors("start", 1)).add(errors("end", 1)).finished().writeTo(folder);
        jvm(2, "b").add(errors("start", 40)).add(errors("end", 41)).finished().writeTo(folder);

        // then
        assertThat(theOne()).isEqualTo(new HostError("b", ECC, 40, 41, "+1", 1, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fake", "replay"})
    void countersOfFakeOrRecordingBelongToOneJvm(String kind) throws IOException {
        // given
        RunEvent.PlatformChosen platform = new RunEvent.PlatformChosen(
                kind, "its host", "its choice", "a test", "trn1.2xlarge", "driver-2.30", "2.30.2.0", 1, 2, 1);
        new RunLinesFixture(1)
                .started("a")
                .add(platform)
                .add(errors("start", 0))
                .add(errors("end", 2))
                .finished()
                .writeTo(folder);
        new RunLinesFixture(2)
                .started("a")
                .add(platform)
                .add(errors("start", 0))
                .at("2026-11-21T09:10:00Z")
                .add(errors("end", 0))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne()).isEqualTo(new HostError("its host", ECC, 0, 2, "+2", 2, 0));
    }

    @Test
    void textOfFallenCounterNamesNoTests() {
        // when, then
        assertThat(new HostError("a", "neuron0 hardware/new_error", 5, 3, "-2", -2, 0))
                .hasToString(
                        "neuron0 hardware/new_error of a went from 5 to 3: -2, and the meaning of the decrease is unknown");
    }

    @ParameterizedTest
    @CsvSource({"moved, violated, 0", "moved, allowed, 0", "moved, undecided, 2", "moved, '', 2", "foreign, violated, 2"
    })
    void onlyFailedOrAllowingTestsExplainErrors(String where, String verdict, long unexplained) throws IOException {
        // given
        jvm(1, "a")
                .add(errors("start", 2))
                .begun(test("t"), CORE)
                .add(saw(test("t"), where, 2, 4, verdict))
                .ended(test("t"), Outcome.PASSED, CORE)
                .add(errors("end", 4))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne().unexplained()).isEqualTo(unexplained);
    }

    @Test
    void wrappedRegisterCountsAsInTests() throws IOException {
        // given a register of 16 bits that wraps in the first of two tests
        jvm(1, "a")
                .add(errors("start", 65534))
                .begun(test("t"), CORE)
                .add(saw(test("t"), "moved", 65534, 2))
                .ended(test("t"), Outcome.FAILED, CORE)
                .begun(test("u"), CORE)
                .add(saw(test("u"), "moved", 3, 5))
                .ended(test("u"), Outcome.FAILED, CORE)
                .add(errors("end", 5))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne())
                .isEqualTo(new HostError("a", ECC, 65534, 5, "+7 (wrapped: the register has 16 bits)", 7, 6));
        assertThat(merged().problems()).isEmpty();
    }

    @Test
    void reloadedDriverIsNamedOnce() throws IOException {
        // given
        String counters = "{\"neuron3/neuron_core0 status/timeout\":%s,\"" + ECC + "\":1}";
        jvm(1, "a")
                .add(host("start", counters.formatted(2), "{\"sys/module/neuron\":\"1\"}", "{}"))
                .add(host("end", counters.formatted(3), "{\"sys/module/neuron\":\"2\"}", "{}"))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems())
                .containsExactly(
                        "The driver of a was reloaded during the run: sys/module/neuron was created again. The earlier counts"
                                + " of its error counters are unknown.");
        assertThat(theOne()).isEqualTo(new HostError("a", "neuron3/neuron_core0 status/timeout", 0, 3, "+3", 3, 0));
    }

    @Test
    void appearedDeviceIsProblem() throws IOException {
        // given
        String device = "sys/devices/virtual/neuron_device/neuron%s";
        jvm(1, "a")
                .add(host("start", "{\"" + ECC + "\":1}", "{\"" + device.formatted(3) + "\":\"1\"}", "{}"))
                .add(host(
                        "end",
                        "{\"" + ECC + "\":1}",
                        "{\"" + device.formatted(3) + "\":\"1\",\"" + device.formatted(4) + "\":\"2\"}",
                        "{}"))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems())
                .containsExactly(device.formatted(4)
                        + " of a appeared during the run: errors before the first reading are unknown.");
    }

    @Test
    void onlyCountersOfReturnedDeviceRestartAtZero() throws IOException {
        // given
        String counters = "{\"neuron3/neuron_core0 status/timeout\":%s,\"neuron4/neuron_core0 status/timeout\":%s}";
        String device = "{\"sys/devices/virtual/neuron_device/neuron3\":\"1\","
                + "\"sys/devices/virtual/neuron_device/neuron4\":\"%s\"}";
        jvm(1, "a")
                .add(host("start", counters.formatted(5, 5), device.formatted(1), "{}"))
                .add(host("end", counters.formatted(7, 6), device.formatted(2), "{}"))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems())
                .containsExactly(
                        "Counters of a restarted during the run: sys/devices/virtual/neuron_device/neuron4 was created"
                                + " again. Their earlier counts are unknown.");
        assertThat(merged().hostErrors())
                .containsExactly(
                        new HostError("a", "neuron3/neuron_core0 status/timeout", 5, 7, "+2", 2, 0),
                        new HostError("a", "neuron4/neuron_core0 status/timeout", 0, 6, "+6", 6, 0));
    }

    @Test
    void unreadableHealthOfDeviceIsProblem() throws IOException {
        // given
        jvm(1, "a")
                .add(host("start", "{\"" + ECC + "\":0}", "{}", "{\"neuron3\":\"\"}"))
                .add(host("end", "{\"" + ECC + "\":0}", "{}", "{\"neuron3\":\"unreadable: Input/output error\"}"))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().hostErrors()).isEmpty();
        assertThat(merged().problems())
                .containsExactly(
                        "Whether neuron3 of a became unhealthy is unknown; its report is unreadable: Input/output error.");
    }

    @Test
    void driverReloadBetweenJvmsIsOneProblem() throws IOException {
        // given
        String counters =
                "{\"neuron3/neuron_core0 status/timeout\":%1$s,\"neuron3/neuron_core0 status/hw_error\":%1$s}";
        String module = "{\"sys/module/neuron\":\"%s\"}";
        jvm(1, "a")
                .add(host("start", counters.formatted(5), module.formatted(1), "{}"))
                .add(host("end", counters.formatted(5), module.formatted(1), "{}"))
                .finished()
                .writeTo(folder);
        jvm(2, "a")
                .after(Duration.ofMinutes(1))
                .add(host("start", counters.formatted(0), module.formatted(2), "{}"))
                .add(host("end", counters.formatted(6), module.formatted(2), "{}"))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems())
                .containsExactly(
                        "The driver of a was reloaded during the run: sys/module/neuron was created again. The earlier counts of its error counters are unknown.");
        assertThat(merged().hostErrors()).extracting(HostError::after).containsExactly(6L, 6L);
    }

    @Test
    void countersFallingTogetherShowDriverReload() throws IOException {
        // given
        String counters = "{\"neuron3/neuron_core0 status/timeout\":%s,\"neuron3/neuron_core0 status/hw_error\":%s}";
        jvm(1, "a")
                .add(host("start", counters.formatted(2, 4)))
                .add(host("end", counters.formatted(0, 0)))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems())
                .singleElement()
                .asString()
                .startsWith("The driver of a was reloaded during the run: ")
                .contains("status/hw_error and ", "status/timeout decreased together");
    }

    @Test
    void driverReloadSeenOnlyByTestIsNamedOnce() throws IOException {
        // given
        jvm(1, "a")
                .add(errors("start", 0))
                .begun(test("t"), CORE)
                .add(
                        new RunEvent.Recorded(
                                test("t"),
                                "counters",
                                new JsonObject(
                                        "{\"version\":2,\"kind\":\"counters\",\"moved\":[],\"restarted\":\"x was created again\"}")))
                .ended(test("t"), Outcome.FAILED, CORE)
                .add(errors("end", 0))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems())
                .singleElement()
                .asString()
                .startsWith("The driver of a was reloaded during the run: during ")
                .contains("x was created again");
    }

    @Test
    void brokenComponentsOfDeviceCountAsError() throws IOException {
        // given
        jvm(1, "a")
                .add(host("start", "{\"" + ECC + "\":0}", "{}", "{\"neuron3\":\"\",\"neuron4\":\"\"}"))
                .add(host("end", "{\"" + ECC + "\":0}", "{}", "{\"neuron3\":\"hbm,sram\",\"neuron4\":\"\"}"))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne()).isEqualTo(new HostError("a", "neuron3 unhealthy_components (hbm,sram)", 0, 1, "+1", 1, 0));
    }

    @Test
    void kernelLogLineOfRunCountsOnce() throws IOException {
        // given: two JVMs have read the same line
        String old = "\"neuron3 kernel log [1.000000]\":\"NEURON_HW_ERR=OLD\"";
        String both = "{" + old + ",\"neuron3 kernel log [65.345678]\":\"NEURON_HW_ERR=DMA_ERROR\"}";
        jvm(1, "a")
                .add(logged("start", "{" + old + "}"))
                .add(logged("end", both))
                .finished()
                .writeTo(folder);
        jvm(2, "a")
                .add(logged("start", both))
                .add(logged("end", both))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne())
                .isEqualTo(new HostError(
                        "a", "neuron3 kernel log [65.345678] (NEURON_HW_ERR=DMA_ERROR)", 0, 1, "+1", 1, 0));
    }

    @Test
    void testOfAnyJvmExplainsKernelLogLine() throws IOException {
        // given
        jvm(1, "a")
                .add(logged("start", "{}"))
                .add(logged("end", "{\"neuron3 kernel log [65.345678]\":\"\"}"))
                .finished()
                .writeTo(folder);
        jvm(2, "a")
                .add(logged("start", "{}"))
                .add(logged("end", "{\"neuron3 kernel log [65.345678]\":\"NEURON_HW_ERR=DMA_ERROR\"}"))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne().unexplained()).isZero();
    }

    @Test
    void failedTestExplainsBrokenComponents() throws IOException {
        // given
        jvm(1, "a")
                .add(host("start", "{\"" + ECC + "\":0}", "{}", "{\"neuron3\":\"\"}"))
                .begun(test("t"), CORE)
                .add(
                        new RunEvent.Recorded(
                                test("t"),
                                "counters",
                                new JsonObject(
                                        "{\"version\":2,\"kind\":\"counters\",\"moved\":[],\"restarted\":\"\",\"health\":{\"neuron3\":{\"before\":\"\",\"after\":\"hbm\",\"verdict\":\"violated\"}}}")))
                .ended(test("t"), Outcome.FAILED, CORE)
                .add(host("end", "{\"" + ECC + "\":0}", "{}", "{\"neuron3\":\"hbm\"}"))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne().unexplained()).isZero();
    }

    @Test
    void overlappingRangesAreJoined() {
        // given
        SeenRanges ranges = new SeenRanges();

        // when
        ranges.add(8, 10);
        ranges.add(1, 3);
        ranges.add(2, 5);
        ranges.add(5, 6);
        ranges.add(7, 7);

        // then
        assertThat(ranges.within(0, 20)).isEqualTo(7);
        assertThat(ranges.within(2, 9)).isEqualTo(5);
    }
}
