package dev.neurontest.internal.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.runtime.RuntimeCause;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.runtime.RuntimeStatus.CoreVerdict;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuntimeLinesTest {

    private static final List<String> PREFIXES = List.of(
            "2026-11-20 10:11:12,345::ERROR: ",
            "(RayTrainWorker pid=4242) ",
            "(EngineCore_DP0 pid=4242) ",
            "kernel: [123.456789] ",
            "\u001b[31m",
            "\t");

    private final RuntimeLines lines = new RuntimeLines();

    /** The expected report of a line. */
    private record Expected(List<String> columns, String line) {

        static Expected of(String row) {
            String[] parts = row.split(" \\| ", 9);
            return parts[0].equals("none")
                    ? new Expected(List.of(), row.substring("none | ".length()))
                    : new Expected(List.of(parts).subList(0, 8), parts[8]);
        }

        @Override
        public String toString() {
            return columns + " " + line;
        }
    }

    private static Stream<String> rows(String resource) {
        try (InputStream in = RuntimeLinesTest.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines().filter(line -> !line.startsWith("#")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Expected> expected() {
        return rows("reports.txt").map(Expected::of);
    }

    private static List<String> columns(RuntimeLine line) {
        return List.of(
                line.status().map(status -> Integer.toString(status.code())).orElse("-"),
                line.stage().name(),
                number(line.device()),
                number(line.core()),
                number(line.logicalCore()),
                line.cause().map(Enum::name).orElse("-"),
                line.faults().stream().map(Enum::name).collect(Collectors.joining(" ")),
                line.verdict() + (line.isUntrusted() ? " untrusted" : ""));
    }

    private static String number(OptionalInt number) {
        return number.isPresent() ? Integer.toString(number.getAsInt()) : "-";
    }

    private static List<List<String>> found(String text) {
        return RuntimeLines.in(text).lines().stream()
                .map(RuntimeLinesTest::columns)
                .toList();
    }

    private List<Integer> codes() {
        return lines.report().statuses().stream().map(RuntimeStatus::code).toList();
    }

    @ParameterizedTest
    @MethodSource("expected")
    void findsStatusPlaceCauseAndVerdict(Expected expected) {
        // then
        assertThat(found(expected.line())).containsExactlyElementsOf(wanted(expected));
    }

    private static List<List<String>> wanted(Expected expected) {
        return expected.columns().isEmpty() ? List.of() : List.of(expected.columns());
    }

    @ParameterizedTest
    @MethodSource("expected")
    void findsTheSameBehindOtherPrefixes(Expected expected) {
        // then
        assertThat(PREFIXES)
                .allSatisfy(prefix -> assertThat(found(prefix + expected.line()))
                        .as(prefix)
                        .containsExactlyElementsOf(wanted(expected)));
    }

    @Test
    void expectationsCoverEachPublishedLine() {
        // given
        List<String> published =
                rows("error-lines.txt").map(row -> row.split(" \\| ", 3)[2]).toList();

        // then
        assertThat(published).hasSize(73);
        assertThat(expected().map(Expected::line)).containsAll(published);
    }

    @Test
    void expectationsCoverEachCause() {
        // then
        assertThat(expected().flatMap(row -> row.columns().stream().skip(5).limit(1)))
                .containsAll(
                        Arrays.stream(RuntimeCause.values()).map(Enum::name).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "NRT_EXEC_HW_ERR_NC_UE | 1202",
                "E0101 execution failed: NRT_TIMEOUT(5) on core 3 | 5",
                "{\"nrt\": true, \"status_code\": 1202} | 1202",
                "NRT_STATUS 4711 | 4711",
                "ERROR   TDRV:exec_consume   status: 4711 | 4711",
                "NRTD response code 'NERR_RESOURCE_NC' (9), NRT_LOAD_NOT_ENOUGH_NC | 9",
            })
    void findsStatusesOfOtherForms(String line, int code) {
        // when
        lines.read(line);

        // then
        assertThat(codes()).containsExactly(code);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INFO 127.0.0.1 \"GET /health\" status=200",
                "neuronx-cc terminated with exit status 1",
                "NRT: exit status 1",
                "HTTP status 404",
                "worker 3: status=1202",
                "status: running",
                "nrt_execute returned NRT_SUCCESS, status=0",
                "nrt_debug_client_read_one_event: NRT_QUEUE_EMPTY",
                "Timeout polling for async exec completion on nc 3 (waited 2 minutes)",
                "status=9999",
                "12 errors",
                "",
            })
    void findsNothingInOtherLines(String line) {
        // when
        lines.read(line);

        // then
        assertThat(lines.report().lines()).isEmpty();
    }

    @Test
    void keepsEachReportOnceInOrderOfLines() {
        // when
        lines.read("NRT_TIMEOUT");
        lines.read("nrt_execute status=1202, then NRT_TIMEOUT");
        lines.read("nrt_execute: NRT_EXEC_HW_ERR_NC_UE");
        lines.read("NRT_FAILURE");

        // then
        assertThat(codes()).containsExactly(5, 1202, 1);
        assertThat(lines.report().lines()).hasSize(4);
    }

    @Test
    void joinsRecordSplitBeforeStatus() {
        // when
        lines.read("2026-Nov-20 10:11:12.0600 4242:4242 ERROR  NMGR:dlr_infer   Inference completed with err:");
        lines.read(" 1006. mode->h_nn=1001, lnc=0");

        // then
        assertThat(codes()).containsExactly(1006);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'(FATAL-RT-UNDEFINED-STATE) [ND 0] Uncorrectable HBM memory error is detected. Execution results may be invalid. Please '"
                        + "|reload the neuron driver or reboot your EC2 instance to prevent future impact from the hardware error.",
                "'[rank3]: (FATAL-RT-UNDEFINED-STATE) Uncorrectable HBM memory error is detected. Execution results may be invalid.\n'"
                        + "|'[rank3]: Please reload the neuron driver or reboot your EC2 instance.\n'",
            })
    void joinsFaultSplitOverTwoLines(String first, String second) {
        // when
        lines.read(first);
        lines.read(second);

        // then
        assertThat(lines.report().lines())
                .extracting(line -> line.cause().orElseThrow())
                .containsExactly(RuntimeCause.HBM_REPAIRABLE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ERROR  NMGR:dlr_infer   Inference completed with err: 12 | 02. mode->h_nn=1001, lnc=0 | 1202",
                "ERROR  NRT:nrt_infodump   Failure: NRT_EXEC_HW_ERR_ | NC_UE in nrt_execute() | 1202",
                "[rank3]: RuntimeError: Failed to execute the model status= | [rank3]: 1006 message=x | 1006",
                "(Worker pid=7) RuntimeError: Failed to execute the model status= | (Worker pid=7) 1006 | 1006",
            })
    void joinsRecordSplitInsideStatusOrBeforePrefix(String first, String second, int code) {
        // when
        lines.read(first + "\n");
        lines.read(second + "\r\n");

        // then
        assertThat(codes()).containsExactly(code);
    }

    @Test
    void joinsSplitRecordAcrossLinesOfOtherStream() {
        // given
        Consumer<String> stdout = lines.output();
        Consumer<String> stderr = lines.output();

        // when
        stderr.accept("ERROR  NMGR:dlr_infer   Inference completed with err:\n");
        stdout.accept("1202\n");
        stderr.accept(" 1006. mode->h_nn=1001, lnc=0\n");

        // then
        assertThat(codes()).containsExactly(1006);
    }

    @ParameterizedTest
    @ValueSource(strings = {"import finished, status=1200 rows=77", "1202 tokens/s", "[rank5]: 1202", "5 files loaded"})
    void doesNotJoinRecordWithUnrelatedLine(String other) {
        // when
        lines.read("2026-Nov-20 10:11:12.0600 4242:4242 ERROR  NMGR:dlr_infer   Inference completed, status:");
        lines.read(other);

        // then
        assertThat(lines.report().lines()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(FATAL-RT-UNDEFINED-STATE) [ND 1][NC 1] execution timeout (30000 ms) on model m.neff, waiting",
                "[MLA 1][NC 1] DMA TX engine 0 is in an abort state",
            })
    void keepsReportFollowedByAnother(String next) {
        // when
        lines.read("RuntimeError: Failed to execute the model status=1202 message=x");
        lines.read(next);

        // then
        assertThat(lines.report().lines())
                .extracting(RuntimeLine::status, line -> line.device().orElse(-1))
                .containsExactly(tuple(Optional.of(RuntimeStatus.of(1202)), -1), tuple(Optional.empty(), 1));
    }

    @Test
    void ignoresStatusOfOtherProgramAfterRecord() {
        // when
        lines.read("2026-Nov-20 10:11:12.0600 4242:4242 INFO  NRT:nrt_init   ready");
        lines.read("import finished, status=1200 rows=77");

        // then
        assertThat(lines.report().lines()).isEmpty();
    }

    @Test
    void readsSeveralRecordsOfOneLine() {
        // when
        lines.read(
                "2026-Nov-20 10:11:12.1 1:1 WARN TDRV:model_start  Ignoring errors found during model load.2026-Nov-20 10:11:12.2 1:1 ERROR NMGR:x  Failed to load NN: a.neff, err: 2"
                        + "2026-Nov-20 10:11:12.3 1:1 ERROR NRT:nrt_infodump  Failure: NRT_INVALID in nrt_load()");

        // then
        assertThat(lines.report().lines())
                .extracting(RuntimeLine::status, RuntimeLine::stage)
                .containsExactly(tuple(Optional.of(RuntimeStatus.of(2)), Stage.LOAD));
    }

    @Test
    void readsSerialNumberAndActionOfTheKernelLog() {
        // when
        lines.read(
                "[12.5] NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR instance-id=i-0 hostname=h nd-id=2 nc-id=1 serial-num=00ff action=TERMINATE_INSTANCE");

        // then
        RuntimeLine line = lines.report().lines().get(0);
        assertThat(line.serialNumber()).contains("00ff");
        assertThat(line.action()).contains("TERMINATE_INSTANCE");
        assertThat(line.verdict()).isEqualTo(CoreVerdict.OUT);
    }

    @Test
    void keepsCoreForKernelLogLineWithoutSerialNumber() {
        // when
        lines.read("kernel: NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR affecting neuron devices");

        // then
        assertThat(lines.report().lines().get(0).verdict()).isEqualTo(CoreVerdict.STAY);
        assertThat(lines.report().lines().get(0).faults()).containsExactly(Fault.HARDWARE_REPLACE);
    }

    @Test
    void readsRankOfLine() {
        // when
        lines.read("[rank3]: RuntimeError: Failed to execute the model status=1202");
        lines.read("12: 2026-Nov-20 10:11:12.0 1:1 ERROR NMGR:dlr_infer  Inference completed with err: 1200");
        lines.read("[4]:nrt_execute status=1200");
        lines.read("[default5]:nrt_execute status=1200");
        lines.read("[1,6]<stderr>:nrt_execute status=1200");
        lines.read("rank 7: nrt_execute status=1200");
        lines.read("[Rank 8] nrt_execute status=1200");

        // then
        assertThat(lines.report().lines())
                .extracting(line -> line.rank().orElse(-1))
                .containsExactly(3, 12, 4, 5, 6, 7, 8);
    }

    @Test
    void keepsAtMost256Reports() {
        // when
        for (int code = 2000; code < 9000; code++) {
            lines.read("NRT status=" + code);
        }

        // then
        assertThat(codes()).hasSize(256).startsWith(2000, 2001);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "\t",
                "status ",
                "test_x[",
                "[ND 1] ",
                "Uncorrectable HBM memory error ",
                "NRT_TIMEOUT = 5, "
            })
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void readsTheLongestLineInTime(String part) {
        // when
        lines.read("NRT: error status " + part.repeat((64 << 10) / part.length()));

        // then
        assertThat(lines.report().lines()).hasSizeLessThan(2);
    }

    @ParameterizedTest
    @CsvSource({"178,1202", "181,1205", "234,1002", "238,1006", "182,1206"})
    void recoversLargeStatusFromExitCode(int exitCode, int status) {
        // then
        assertThat(RuntimeLines.ofExitCode(exitCode)).contains(RuntimeStatus.of(status));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, 6, 101, 134, 137, 143, 239, 255})
    void findsNoStatusInOtherExitCodes(int exitCode) {
        // then
        assertThat(RuntimeLines.ofExitCode(exitCode)).isEmpty();
    }
}
