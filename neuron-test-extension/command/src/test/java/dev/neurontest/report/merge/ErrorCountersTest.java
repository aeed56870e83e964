package dev.neurontest.report.merge;

import static dev.neurontest.evidence.RunLinesFixture.test;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.evidence.Outcome;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunLinesFixture;
import dev.neurontest.evidence.TestId;
import dev.neurontest.json.JsonObject;
import dev.neurontest.report.HostError;
import dev.neurontest.report.RunReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorCountersTest {

    private static final String ECC = "neuron3 hardware/mem_ecc_uncorrected";
    private static final String CORE = "neuron3/neuron_core0";

    @TempDir
    Path folder;

    private static RunLinesFixture jvm(long pid, String machine) {
        return new RunLinesFixture(pid).started(machine).onHardware();
    }

    private static RunEvent errors(String moment, long ecc) {
        return new RunEvent.HostErrors(
                moment, new JsonObject("{\"%s\":%s,\"neuron3 hardware/sram_ecc\":0}".formatted(ECC, ecc)));
    }

    private static RunEvent saw(TestId test, String where, long before, long after) {
        return new RunEvent.Recorded(test, "counters", new JsonObject("""
                        {"version":1,"kind":"counters","cores":["x"],"%s":[
                         {"place":"neuron3/neuron_core0","counter":"status/timeout","field":"total","movement":"rose","before":0,"after":9},
                         {"place":"neuron3","counter":"hardware/mem_ecc_uncorrected","field":"value","unit":"count",
                          "movement":"rose","before":%s,"after":%s,"delta":1,"location":"/sys/x","attribution":"shared"}],
                         "heldBack":{"neuron0":["4711"]},"settled":true}
                        """.formatted(where, before, after)));
    }

    private RunReport merged() {
        return RunReports.merge(List.of(folder), jvm -> false);
    }

    private HostError theOne() {
        assertThat(merged().hostErrors()).hasSize(1);
        return merged().hostErrors().get(0);
    }

    @Test
    void that_nobody_saw_move_are_unexplained() throws IOException {
        // given
        jvm(1, "a")
                .add(errors("start", 2))
                .ran(test("t"), Outcome.PASSED, CORE)
                .add(errors("end", 5))
                .finished()
                .writeTo(folder);

        // then
        assertThat(theOne()).isEqualTo(new HostError("a", ECC, 2, 5, 0));
        assertThat(theOne().unexplained()).isEqualTo(3);
    }

    @Test
    void that_did_not_move_are_not_told() throws IOException {
        // given
        jvm(1, "a").add(errors("start", 2)).add(errors("end", 2)).finished().writeTo(folder);

        // then
        assertThat(merged().hostErrors()).isEmpty();
        assertThat(merged().problems()).isEmpty();
    }

    @Test
    void that_tests_saw_at_the_same_time_are_explained_once() throws IOException {
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
        assertThat(theOne()).isEqualTo(new HostError("a", ECC, 2, 6, 2));
    }

    @Test
    void of_overlapping_jvms_count_from_the_earliest_start_to_the_latest_end() throws IOException {
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
        assertThat(theOne()).isEqualTo(new HostError("a", ECC, 1, 7, 0));
    }

    @Test
    void of_two_machines_are_never_mixed() throws IOException {
        // given
        jvm(1, "a").add(errors("start", 1)).add(errors("end", 1)).finished().writeTo(folder);
        jvm(2, "b").add(errors("start", 40)).add(errors("end", 41)).finished().writeTo(folder);

        // then
        assertThat(theOne()).isEqualTo(new HostError("b", ECC, 40, 41, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fake", "replay"})
    void of_fakes_and_recordings_belong_to_one_jvm_each(String kind) throws IOException {
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
        assertThat(theOne()).isEqualTo(new HostError("its host", ECC, 0, 2, 0));
    }

    @Test
    void that_were_never_read_at_the_end_are_a_problem() throws IOException {
        // given
        jvm(1, "a").add(errors("start", 1)).writeTo(folder);

        // then
        assertThat(merged().problems())
                .containsExactly(
                        "The error counters of a were read when the run began, and never when it ended: JVMs were"
                                + " killed. Errors in between are not known.");
    }

    @Test
    void that_were_cleared_meanwhile_are_noted() throws IOException {
        // given
        jvm(1, "a").add(errors("start", 5)).add(errors("end", 1)).finished().writeTo(folder);

        // then
        assertThat(merged().notices())
                .containsExactly(ECC
                        + " of a fell from 5 to 1: it was cleared meanwhile, and what it had counted is not known.");
    }

    @Test
    void that_were_cleared_meanwhile_began_at_zero() throws IOException {
        // given
        jvm(1, "a").add(errors("start", 5)).add(errors("end", 1)).finished().writeTo(folder);

        // then
        assertThat(theOne()).isEqualTo(new HostError("a", ECC, 0, 1, 0));
    }

    @Test
    void that_were_cleared_and_stayed_so_did_not_move() throws IOException {
        // given
        jvm(1, "a").add(errors("start", 5)).add(errors("end", 0)).finished().writeTo(folder);

        // then
        assertThat(merged().hostErrors()).isEmpty();
    }

    @Test
    void of_a_device_that_vanished_are_a_problem() throws IOException {
        // given
        jvm(1, "a")
                .add(errors("start", 1))
                .add(new RunEvent.HostErrors("end", new JsonObject("{\"neuron3 hardware/sram_ecc\":0}")))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems())
                .containsExactly(
                        "1 error counters of a could be read when the run began, and not when it ended, such as " + ECC
                                + ": what they counted is not known.");
    }

    @Test
    void of_a_device_that_was_not_there_at_the_start_are_a_problem() throws IOException {
        // given
        jvm(1, "a")
                .add(new RunEvent.HostErrors("start", new JsonObject("{}")))
                .add(errors("end", 1))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems())
                .containsExactly(
                        "2 error counters of a could be read when the run ended, and not when it began, such as " + ECC
                                + ": what they counted is not known.");
    }

    @Test
    void that_could_never_be_read_are_a_problem() throws IOException {
        // given
        JsonObject unread = new JsonObject("{\"%s\":null,\"neuron3 hardware/sram_ecc\":0}".formatted(ECC));
        jvm(1, "a")
                .add(new RunEvent.HostErrors("start", unread))
                .add(new RunEvent.HostErrors("end", unread))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems())
                .containsExactly(
                        "1 error counters of a could be read neither when the run began nor when it ended, such as "
                                + ECC + ": whether they moved is not known.");
    }

    @Test
    void of_a_host_without_any_are_a_problem() throws IOException {
        // given
        jvm(1, "a")
                .add(new RunEvent.HostErrors("start", new JsonObject("{}")))
                .add(new RunEvent.HostErrors("end", new JsonObject("{}")))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems())
                .containsExactly("No error counter of a could be read, neither when the run began nor when it ended."
                        + " Errors between tests are not known.");
    }

    @Test
    void that_were_never_read_at_the_start_are_a_problem() throws IOException {
        // given
        jvm(1, "a").add(errors("end", 1)).finished().writeTo(folder);

        // then
        assertThat(merged().problems())
                .containsExactly(
                        "The error counters of a were read when the run ended, and never when it began. Errors in"
                                + " between are not known.");
    }

    @Test
    void overlapping_ranges_are_joined() {
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
