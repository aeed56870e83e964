package dev.neurontest.internal.profile.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.profile.SampleFixture;
import dev.neurontest.runtime.RuntimeStatus;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToolLogTest {

    private static List<String> fatalLines() {
        return SampleFixture.text("error-lines.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\| ", 3))
                .filter(cells -> cells[1].equals("fatal"))
                .map(cells -> cells[2])
                .toList();
    }

    private static List<String> harmlessLines() {
        return SampleFixture.text("error-lines.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\| ", 3))
                .filter(cells -> cells[1].equals("not fatal") || cells[1].endsWith(", normal"))
                .map(cells -> cells[2])
                .toList();
    }

    @ParameterizedTest
    @MethodSource("fatalLines")
    void showsEachGenuineErrorBehindHarmlessOnes(String line) {
        // given
        String log = String.join("\n", harmlessLines()) + "\n" + line + "\n";

        // then
        assertThat(new ToolLog(log).errorLine())
                .contains(line.strip()
                        .replaceAll("\\s+", " ")
                        .transform(it -> it.substring(0, Math.min(400, it.length()))));
    }

    @Test
    void hidesDumpOfEnvironment() {
        // given
        ToolLog log = new ToolLog("""
                2026-May-10 06:59:24.3 1:1 ERROR   NRT:nrt_infodump   Neuron runtime information - please include in any support request:
                2026-May-10 06:59:24.3 1:1 ERROR   NRT:nrt_infodump   HOME=/root
                2026-May-10 06:59:24.3 1:1 ERROR   NRT:nrt_infodump   AWS_SESSION=abc failed
                2026-May-10 06:59:24.3 1:1 ERROR   NRT:nrt_infodump   -----8<-----
                2026-May-10 06:59:24.3 1:1 ERROR   NRT:nrt_load   failed to load the model
                """);

        // then
        assertThat(log.errorLine()).contains("2026-May-10 06:59:24.3 1:1 ERROR NRT:nrt_load failed to load the model");
    }

    @Test
    void showsErrorBeforeFinalDump() {
        // given
        ToolLog log = new ToolLog("""
                1:1 ERROR   NRT:nrt_load   bad NEFF
                1:1 ERROR   NRT:nrt_infodump   HOME=/root
                1:1 ERROR   NRT:nrt_infodump   -----8<-----
                """);

        // then
        assertThat(log.errorLine()).contains("1:1 ERROR NRT:nrt_load bad NEFF");
    }

    @Test
    void showsLastLineWhenNoneReportsError() {
        // then
        assertThat(new ToolLog("one\ntwo\n\n").errorLine()).contains("two");
        assertThat(new ToolLog("").errorLine()).isEmpty();
    }

    @Test
    void ignoresLineKnownAsHarmless() {
        // given
        String harmless = "ERRO[0001] invalid DMA duration - transfer rate is invalid";

        // then
        assertThat(new ToolLog("serving\n" + harmless).errorLine()).contains("serving");
        assertThat(new ToolLog(harmless).errorLine()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Warning: 17 trace events were dropped",
                "Lost 12 events",
                "WARN[0002] 3 notifications lost on nc0",
                "ERRO[0003] Failed to parse 12 instructions",
                "ERROR: unable to decode record 17",
                "notification could not be parsed",
                "The profile is incomplete",
                "ERROR_PROCESS_INCOMPLETE",
                "panic: runtime error: index out of range [3]",
                "recovered: goroutine panicked",
                "Results may not be accurate",
                "values may be inaccurate",
                "results_may_not_be_complete",
                "resultsMayBeMissing",
                "the trace was truncated",
                "event buffer overflowed, 4096 records overwritten",
                "Discarded 3 packets",
                "Notification from block NC of type INSTRUCTION were dropped. This can cause corresponding data to be incorrect.",
                "{\"level\":\"error\",\"msg\":\"failed to parse the trace\"}",
                "Notifications were dropped on core 0",
                "WARN[0001] on nc 0 dropped 12 notifications",
                "core 0 notifications dropped: 12",
                "ND 0 NC 0 events lost: 12",
                "overflow on queue 0: events lost",
                "Lost 12 events, 0 packets dropped",
                "events dropped: 0, notifications dropped: 12",
                "0 events were dropped, but 12 notifications were lost",
                "no more room, dropped 12 events",
                "dropped_events=12",
                "level=warning msg=\"trace finished\" dropped=12",
                "{\"level\":\"warning\",\"droppedEvents\":12}",
                "{\"dropped\": 12}",
                "Dropping 12 events",
                "Missed 12 events",
                "the event ring was corrupted",
                "data loss detected",
                "trace buffer full",
                "unexpected EOF while reading records",
                "ERRO[0003] parse error in record 7",
                "failed parsing 3 records",
                "couldn't decode 3 instructions",
                "PANI[0003] index out of range",
                "panic: runtime error in the DMA ring",
                "Failed to parse instructions and DMA packets"
            })
    void lostHoldsLinesOfMissingData(String line) {
        // given
        ToolLog log = new ToolLog("INFO[0000] start\n" + line + "\n");

        // then
        assertThat(log.lost()).containsExactly(line);
        assertThat(log.doubtfulDma()).isEmpty();
        assertThat(log.otherErrors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WARNING: Missing additional dynamic DMA metadata, reported DMA values may be inaccurate",
                "WARNING: Missing additional dynamic DMA metadata, reported DMA values may be inaccurate. Try capturing with `--enable-dge-notifs` or `NEURON_RT_ENABLE_DGE_NOTIFICATIONS=1`",
                "DMA results may not be accurate",
                "Notification from block DMA of type DMA were dropped. This can cause corresponding data to be incorrect.",
                "Lost 12 DMA packets",
                "dma packets dropped: 7",
                "WARN[0001] DMA engine 0 dropped 12 packets"
            })
    void doubtfulDmaHoldsLinesOfDmaOnly(String line) {
        // given
        ToolLog log = new ToolLog(line);

        // then
        assertThat(log.doubtfulDma()).containsExactly(line);
        assertThat(log.lost()).isEmpty();
        assertThat(log.otherErrors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INFO[0001] 0 events were dropped",
                "Lost 0 events",
                "dropped events: 0",
                "dropped_events=0",
                "no notifications were lost",
                "INFO[0001] events dropped = 0",
                "incomplete: false",
                "0 of 12 events dropped",
                "INFO[0001] trace done, 0 events dropped",
                "10:11:12.345 0 events dropped",
                "Warning: 0 trace events were dropped",
                "dropped events (0)",
                "Lost events: 00",
                "Lost 0 events on core 3",
                "dropped notifications: none",
                "Total number of dropped notifications is 0",
                "without losing events",
                "events were not lost",
                "{\"level\":\"info\",\"droppedEvents\":0}",
                "writing lost_events.ntff",
                "writing /tmp/lost/panic/incomplete.ntff",
                "loading panic-test.neff and its events",
                "INFO[0001] trace complete",
                "ERROR_CODE=0",
                "opened /logs/ERROR/profile.ntff"
            })
    void findsNoLossInLinesThatOnlyMentionIt(String line) {
        // given
        ToolLog log = new ToolLog(line);

        // then
        assertThat(log.lost()).isEmpty();
        assertThat(log.doubtfulDma()).isEmpty();
        assertThat(log.otherErrors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERRO[0012] something new",
                "ERROR: cannot reach the metrics endpoint",
                "2026-May-10 06:59:24.3 1:1 ERROR NRT:nrt_close something new",
                "time=\"12:00\" level=error msg=\"something new\"",
                "{\"level\": \"error\", \"msg\": \"something new\"}",
                "FATA[0001] something new",
                "[error] something new",
                "CRITICAL:root:something new",
                "lvl=eror msg=\"something new\"",
                "E1126 03:19:22.123456 4242 file.cc:12] something new"
            })
    void otherErrorsHoldUnknownLines(String line) {
        // given
        ToolLog log = new ToolLog(line);

        // then
        assertThat(log.otherErrors()).containsExactly(line);
        assertThat(log.lost()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%sLost 12 events%s",
                "WARN[0001] 12 events %slost%s",
                "%sERRO%s[0003] Failed to parse 12 instructions"
            })
    void coloursOfTerminalsHideNoLoss(String line) {
        // then
        assertThat(new ToolLog(line.formatted("\u001b[1;31m", "\u001b[0m")).lost())
                .containsExactly(line.formatted("", ""));
    }

    @Test
    void coloursOfTerminalsHideNoError() {
        // then
        assertThat(new ToolLog("\u001b[31mERRO\u001b[0m[0003] something new").otherErrors())
                .containsExactly("ERRO[0003] something new");
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 180, 195, 390, 399, 400, 1_000, 100_000})
    void longLinesHideNothing(int before) {
        // given
        String padding = "x".repeat(before) + " ";

        // then
        assertThat(new ToolLog(padding + "Lost 12 events").lost())
                .singleElement()
                .asString()
                .hasSizeLessThanOrEqualTo(400)
                .contains("Lost 12 events");
        assertThat(new ToolLog(padding + "ERROR something new").otherErrors())
                .singleElement()
                .asString()
                .contains("ERROR something new");
    }

    @ParameterizedTest
    @MethodSource("harmlessLines")
    void harmlessLinesCauseNoErrorOrLoss(String line) {
        // given
        ToolLog log = new ToolLog(line);

        // then
        assertThat(log.otherErrors()).isEmpty();
        assertThat(log.lost()).isEmpty();
        assertThat(log.doubtfulDma().isEmpty()).isEqualTo(!line.startsWith("DMA results"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1:1 ERROR NRT:nrt_close Unexpected runtime state: NRT_STATE_START",
                "1:1 ERROR (NON-FATAL, Ignoring) inference timeout (180000 ms) on Neuron Device 0 NC 0, waiting for cc status notifications.",
                "1:1 ERROR TDRV:model_start Ignoring errors found during model load.",
                "ERROR nrtucode: internal error: 832 object(s) leaked, improper teardown"
            })
    void harmlessRuntimeLinesCauseNoErrorOrLoss(String line) {
        // then
        assertThat(new ToolLog(line).otherErrors()).isEmpty();
        assertThat(new ToolLog(line).lost()).isEmpty();
    }

    @Test
    void otherErrorsLeaveOutDumpOfEnvironment() {
        // given
        ToolLog log = new ToolLog("""
                1:1 ERROR NRT:nrt_infodump HOME=/root
                1:1 ERROR NRT:nrt_infodump -----8<-----
                1:1 ERROR NRT:nrt_load something new
                """);

        // then
        assertThat(log.otherErrors()).containsExactly("1:1 ERROR NRT:nrt_load something new");
    }

    @Test
    void findsStatuses() {
        // then
        assertThat(new ToolLog("nrt_execute status=1202\nexecution completed with numerical error (NaN)\n")
                        .report()
                        .statuses())
                .containsExactly(RuntimeStatus.of(1202), RuntimeStatus.of(1003));
    }
}
