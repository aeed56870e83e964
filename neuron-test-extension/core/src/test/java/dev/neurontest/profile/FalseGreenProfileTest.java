package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.profile.threshold.RelativeExpectation;
import dev.neurontest.internal.profile.threshold.RooflineExpectation;
import dev.neurontest.internal.profile.tool.ToolLog;
import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.HeaderFixture.Message;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests with bad traces, summaries and outputs of tools: no expectation may pass with them. The readers, guards and
 * rules are those of production.
 */
class FalseGreenProfileTest {

    private static final String UUID = "e09e25ab3c064ef989233737f9c6fa04";
    private static final String LEADING_ZERO = "00112233445566778899aabbccddeeff";
    private static final String STRAY = "541a01fcf572";
    private static final long MILLISECOND = 1_000_000_000L;

    private static final String TIMES =
            "\"total_time\": 0.001, \"total_exec_time\": 0.0009, \"total_active_time\": 0.0008";
    private static final String COUNTS =
            "\"event_count\": 7, \"trace_count\": 9, \"spill_save_bytes\": 0, \"hbm_read_bytes\": 4096";
    private static final String SUMMARY = "{\"n_1\": {" + TIMES + ", " + COUNTS + "}}";

    private static final String DMA_METRICS =
            "\"dma_transfer_count\": 7, \"software_dynamic_dma_packet_count\": 7, \"input_queue_bytes\": 7, \"mbu_estimated_percent\": 0.5, \"mm_arithmetic_intensity\": 7, \"peak_flops_bandwidth_ratio\": 9, \"mfu_estimated_percent\": 0.5, ";

    private static final Expectation<Profile> LATENCY =
            rule(MetricExpectation.latency(Latency.TOTAL, "17 ms", "median"));
    private static final Expectation<Profile> SPILL = most("spill_save_bytes", "0 B");

    @TempDir
    private Path folder;

    /** The output of a tool and the expectations for it. */
    private record Case(
            String name,
            String neffUuid,
            byte[] ntff,
            String printed,
            String log,
            TraceOrigin origin,
            List<Doubt> known,
            List<Expectation<Profile>> expectations) {

        @SafeVarargs
        final Case expecting(Expectation<Profile>... wanted) {
            List<Expectation<Profile>> all = new ArrayList<>();
            for (Expectation<Profile> expectation : wanted) {
                all.add(expectation);
            }
            return new Case(name, neffUuid, ntff, printed, log, origin, known, all);
        }

        Case ofNeff(String uuid) {
            return new Case(name, uuid, ntff, printed, log, origin, known, expectations);
        }

        Case from(TraceOrigin other) {
            return new Case(name, neffUuid, ntff, printed, log, other, known, expectations);
        }

        Case logging(String lines) {
            return new Case(name, neffUuid, ntff, printed, lines, origin, known, expectations);
        }

        Case doubted(Doubt doubt) {
            return new Case(name, neffUuid, ntff, printed, log, origin, List.of(doubt), expectations);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Expectation<Profile> rule(MetricExpectation threshold) {
        return ProfileExpectations.builder().expect(threshold).build()::judge;
    }

    private static Expectation<Profile> most(String metric, String max) {
        return rule(MetricExpectation.of(metric, max, "", "median"));
    }

    private static Expectation<Profile> least(String metric, String min) {
        return rule(MetricExpectation.of(metric, "", min, "median"));
    }

    private static Expectation<Profile> relativeTo(Profile other) {
        return new RelativeExpectation(
                "total_time",
                Optional.of(new Fraction(2)),
                Optional.empty(),
                "other",
                () -> Optional.ofNullable(other),
                "@RelativeToTest");
    }

    private static Message message(String uuid) {
        Message graph = new Message().text(1, "sg00").number(14, MILLISECOND);
        return new Message()
                .text(1, "file.neff")
                .bytes(2, HeaderFixture.hex(uuid))
                .message(4, new Message().message(4, new Message().message(1, graph)))
                .message(8, HeaderFixture.version("2.31.24"))
                .text(9, "trn1.2xlarge");
    }

    private static byte[] ntff(int version, String uuid, int notificationBytes) {
        return HeaderFixture.ntff(version, message(uuid).toBytes(), notificationBytes);
    }

    private static byte[] good() {
        return ntff(7, UUID + STRAY, 64);
    }

    private static byte[] changed(UnaryOperator<byte[]> change) {
        return change.apply(good());
    }

    private static byte[] withLength(long length) {
        return changed(bytes -> {
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(1, length);
            return bytes;
        });
    }

    private static byte[] withFirstByte(int first) {
        return changed(bytes -> {
            bytes[0] = (byte) first;
            return bytes;
        });
    }

    private static Case of(String name, byte[] ntff, String printed) {
        return new Case(name, UUID, ntff, printed, "", TraceOrigin.CAPTURED, List.of(), List.of(LATENCY, SPILL));
    }

    private static Case trace(String name, byte[] ntff) {
        return of("trace: " + name, ntff, SUMMARY);
    }

    private static Case output(String name, String printed) {
        return of("output: " + name, good(), printed);
    }

    private static Case numbers(String name, String metrics) {
        return of("numbers: " + name, good(), "{\"n_1\": {" + metrics + "}}");
    }

    private static Stream<Case> traces() {
        Stream<Case> cutInRecords = Stream.of(4, 5, 6, 7, 8)
                .map(version -> trace("cut within a record of version " + version, ntff(version, UUID + STRAY, 57)));
        return Stream.concat(
                cutInRecords,
                Stream.of(
                        trace("empty", new byte[0]),
                        trace("one byte", new byte[] {7}),
                        trace("half of a head", changed(bytes -> Arrays.copyOf(bytes, 64))),
                        trace("a head and no more", changed(bytes -> Arrays.copyOf(bytes, 128))),
                        trace("cut within its message", changed(bytes -> Arrays.copyOf(bytes, 150))),
                        trace("without a record", ntff(7, UUID + STRAY, 0)),
                        trace("another file, such as ntrace.pb", withFirstByte(115)),
                        trace("zeros", new byte[4096]),
                        trace("a message longer than the file", withLength(1L << 40)),
                        trace("a message of negative length", withLength(-1)),
                        trace("a message without anything", withLength(0)),
                        trace("a message that is cut by its length", withLength(7)),
                        trace(
                                "a message of noise",
                                HeaderFixture.ntff(5, HeaderFixture.hex("ffffffffffffffffffffffffffffffff"), 64)),
                        trace("of another NEFF", ntff(7, "2ffbfc038cb64d1593542f6ca4ee2b9b" + STRAY, 64)),
                        trace("of a NEFF with a zero byte in its UUID", ntff(7, "e09e25ab", 64)),
                        trace("of a NEFF without a zero byte", ntff(7, "db6e2c1f112233445566778899aabbcc", 64))
                                .ofNeff("db6e2c1f002233445566778899aabbcc"),
                        trace("given, of a NEFF whose UUID begins with a zero byte", ntff(7, "", 64))
                                .ofNeff(LEADING_ZERO)
                                .from(TraceOrigin.GIVEN),
                        trace("given, of a NEFF whose UUID is zero", ntff(7, "", 64))
                                .ofNeff("00".repeat(16))
                                .from(TraceOrigin.GIVEN),
                        trace("of a NEFF whose UUID begins with a zero byte, for another NEFF", ntff(7, "", 64)),
                        trace("of another NEFF, for one whose UUID begins with a zero byte", good())
                                .ofNeff(LEADING_ZERO),
                        trace("of another NEFF, for one whose UUID is zero", good())
                                .ofNeff("00".repeat(16)),
                        trace("of the byte behind the leading zero byte of a UUID", ntff(7, "11223344", 64))
                                .ofNeff(LEADING_ZERO),
                        trace("of a workload, for a NEFF that would leave a UUID", ntff(7, "", 64))
                                .from(TraceOrigin.PAIRED_BY_NAME),
                        trace("without a record, of a UUID with a leading zero byte", ntff(7, "", 0))
                                .ofNeff(LEADING_ZERO),
                        trace("cut, of a UUID with a leading zero byte", ntff(7, "", 57))
                                .ofNeff(LEADING_ZERO),
                        trace(
                                "without a UUID",
                                HeaderFixture.ntff(7, new Message().text(1, "a").toBytes(), 64)),
                        trace("of a first execution", good())
                                .doubted(ValidityChecks.firstExecution(Path.of("profile.ntff")))
                                .expecting(
                                        LATENCY,
                                        least("mfu_estimated_percent", "1 %"),
                                        new RooflineExpectation(new Fraction(0.1), "@MinOfRoofline"))));
    }

    private static Stream<Case> outputs() {
        return Stream.of(
                output("nothing", ""),
                output("blank lines", "\n \n"),
                output("a log", "INFO[0001] done\nERRO[0002] no profile\n"),
                output("usage", "Usage:\n  neuron-explorer [OPTIONS] view\n"),
                output("an empty object", "{}"),
                output("an empty graph", "{\"n_1\": {}}").expecting(SPILL, most("total_time", "17 ms")),
                output("an empty summary of a full JSON", "{\"summary\": []}"),
                output("numbers for a summary", "{\"summary\": [1, 2]}"),
                output("a list", "[0.001]"),
                output("an error as JSON", "{\"error\": \"no such profile\"}"),
                output("a summary that is cut in a number", SUMMARY.substring(0, 25)),
                output("a summary that is cut behind a brace", "{\"n_1\": {"),
                output("a summary without its end", SUMMARY.substring(0, SUMMARY.length() - 1)),
                output("a word for a number", SUMMARY.replace("0.001,", "fast,")),
                output(
                        "the same graph twice",
                        "{\"n_1\": {\"total_time\": 9, \"spill_save_bytes\": 9}, " + SUMMARY.substring(1)),
                output(
                        "the same metric twice",
                        SUMMARY.replace("\"event_count\"", "\"total_time\": 9, \"event_count\"")),
                output("a second object behind the first", SUMMARY + SUMMARY.replace("0.001", "9")),
                output("a second object in the next line", SUMMARY + "\n" + SUMMARY.replace("0.001", "9")),
                output("a second object that is cut", SUMMARY + "\n{\"n_2\": {\"total_time\": 9, \"spi"),
                output("an object of another kind behind it", SUMMARY + "\n{\"status\": \"incomplete\"}\n"),
                output("a JSON line of a log", "{\"level\": \"info\", " + TIMES + ", " + COUNTS + "}"),
                output("a JSON line of a log with a graph", "{\"msg\": \"summary\", " + SUMMARY.substring(1)),
                output(
                        "a JSON line of a log before a summary that is slower",
                        "{\"level\": \"info\", " + TIMES + ", " + COUNTS
                                + "}\n{\"n_1\": {\"total_time\": 9, \"spill_save_bytes\": 9}}"),
                output(
                        "a JSON line of a log without a level",
                        "{\"ts\": 1.0, \"event\": \"profiled\", " + TIMES + ", " + COUNTS + "}"),
                output(
                        "a JSON line of a log with a number for a level",
                        "{\"level\": 30, \"time\": 17, " + TIMES + ", " + COUNTS + "}"),
                output(
                        "a JSON line of a log with fields",
                        "{\"time\": \"x\", \"fields\": {" + TIMES + ", " + COUNTS + "}}"),
                output("metrics without their graph", "{" + TIMES + ", " + COUNTS + "}"),
                output("an object of another kind before it", "{\"status\": \"failed\"}\n" + SUMMARY),
                output("an error beside a graph", "{\"error\": \"post processing failed\", " + SUMMARY.substring(1)),
                output(
                        "an error behind a graph",
                        SUMMARY.substring(0, SUMMARY.length() - 1) + ", \"errors\": {\"a\": 1}}"),
                output("two graphs of which one tells nothing", "{\"n_2\": {}, " + SUMMARY.substring(1))
                        .expecting(SPILL, most("total_time", "17 ms")),
                output("lost notifications", SUMMARY).logging("Warning: 17 trace events were dropped\n"),
                output("lost events", SUMMARY).logging("WARN[0001] Lost 12 events\n"),
                output("instructions that were not parsed", SUMMARY)
                        .logging("ERRO[0003] Failed to parse 12 instructions\n"),
                output("a panic", SUMMARY).logging("panic: runtime error\n"),
                output("an incomplete trace", SUMMARY).logging("ERRO[0003] trace is incomplete\n"),
                output("results that may not be accurate", SUMMARY).logging("Results may not be accurate\n"),
                dma("DMA results may not be accurate"),
                dma(
                        "Notification from block DMA of type DMA were dropped. This can cause corresponding data to be incorrect."),
                dma("WARNING: Missing additional dynamic DMA metadata, reported DMA values may be inaccurate"));
    }

    /** Returns a case in which only metrics of DMA are in doubt. */
    private static Case dma(String line) {
        return output(line, SUMMARY.replace("\"event_count\"", DMA_METRICS + "\"event_count\""))
                .logging(line + "\n")
                .expecting(
                        most("hbm_read_bytes", "4 KiB"),
                        most("spill_save_bytes", "0 B"),
                        most("dma_transfer_count", "7"),
                        most("software_dynamic_dma_packet_count", "7"),
                        most("input_queue_bytes", "7 B"),
                        least("mbu_estimated_percent", "40 %"),
                        least("mm_arithmetic_intensity", "7 flops/byte"),
                        new RooflineExpectation(new Fraction(0.1), "@MinOfRoofline"));
    }

    private static Stream<Case> numbers() {
        List<Case> cases = new ArrayList<>(List.of(
                numbers(
                        "all times 0",
                        "\"total_time\": 0, \"total_exec_time\": 0, \"total_active_time\": 0, " + COUNTS),
                numbers("a total of a femtosecond", "\"total_time\": 1e-15, " + COUNTS),
                numbers("no active time to speak of", TIMES.replace("0.0008", "1e-15") + ", " + COUNTS),
                numbers("an execution of a femtosecond", TIMES.replace("0.0009", "1e-15") + ", " + COUNTS)
                        .expecting(rule(MetricExpectation.latency(Latency.EXECUTION, "17 ms", "median"))),
                numbers(
                        "a part of an event",
                        TIMES + ", " + COUNTS.replace("\"event_count\": 7", "\"event_count\": 1e-3")),
                numbers(
                        "0 traces with a sign",
                        TIMES + ", " + COUNTS.replace("\"trace_count\": 9", "\"trace_count\": -0.0")),
                numbers("a total of 0", "\"total_time\": 0.0, " + COUNTS),
                numbers("a negative total", "\"total_time\": -1, " + COUNTS),
                numbers("no active time", TIMES.replace("0.0008", "0") + ", " + COUNTS),
                numbers("no time of execution", TIMES.replace("0.0009", "0e0") + ", " + COUNTS),
                numbers("active longer than all", TIMES.replace("0.0008", "0.0011") + ", " + COUNTS),
                numbers("executing longer than all", TIMES.replace("0.0009", "0.016") + ", " + COUNTS)
                        .expecting(rule(MetricExpectation.latency(Latency.EXECUTION, "17 ms", "median"))),
                numbers("executing longer than the trace, without a total", "\"total_exec_time\": 0.016, " + COUNTS)
                        .expecting(rule(MetricExpectation.latency(Latency.EXECUTION, "17 ms", "median"))),
                numbers("active longer than the trace, without a total", "\"total_active_time\": 0.016, " + COUNTS)
                        .expecting(most("total_active_time", "17 ms")),
                numbers("a total below the trace's own", "\"total_time\": 0.00099, " + COUNTS),
                numbers("milliseconds for microseconds", "\"total_time\": 0.000001, " + COUNTS),
                numbers("no event", TIMES + ", " + COUNTS.replace("\"event_count\": 7", "\"event_count\": 0")),
                numbers("no trace", TIMES + ", " + COUNTS.replace("\"trace_count\": 9", "\"trace_count\": 0")),
                numbers("spill that is not told", TIMES).expecting(SPILL),
                numbers("negative spill", TIMES + ", \"spill_save_bytes\": -1").expecting(SPILL),
                numbers("spill that is null", TIMES + ", \"spill_save_bytes\": null")
                        .expecting(SPILL),
                numbers("a time that is not written", TIMES.replace("total_exec_time", "new_exec_time") + ", " + COUNTS)
                        .expecting(rule(MetricExpectation.latency(Latency.EXECUTION, "17 ms", "median"))),
                numbers("a time below 0", TIMES.replace("0.0009", "-1") + ", " + COUNTS)
                        .expecting(rule(MetricExpectation.latency(Latency.EXECUTION, "17 ms", "median"))),
                numbers("percents that are not fractions", TIMES + ", " + COUNTS + ", \"mfu_estimated_percent\": 42")
                        .expecting(least("mfu_estimated_percent", "40 %")),
                numbers("more than the whole", TIMES + ", " + COUNTS + ", \"dma_active_time_percent\": 1.2")
                        .expecting(least("dma_active_time_percent", "40 %"), most("dma_active_time_percent", "200 %")),
                numbers("one execution for a percentile", TIMES + ", " + COUNTS)
                        .expecting(rule(MetricExpectation.of("total_time", "17 ms", "", "p90"))),
                numbers("nothing for a roofline", TIMES + ", " + COUNTS)
                        .expecting(new RooflineExpectation(new Fraction(0.1), "@MinOfRoofline")),
                numbers("no other profile", TIMES + ", " + COUNTS).expecting(relativeTo(null)),
                numbers("another profile without times", TIMES + ", " + COUNTS)
                        .expecting(relativeTo(
                                MeasuredFixture.of("hbm_read_bytes", 1).profile())),
                numbers("another profile that takes no time", TIMES + ", " + COUNTS)
                        .expecting(
                                relativeTo(MeasuredFixture.of("total_time", 0).profile())),
                numbers("another profile in doubt", TIMES + ", " + COUNTS)
                        .expecting(relativeTo(MeasuredFixture.of("total_time", 1)
                                .doubt(Doubt.Kind.OTHER_NEFF, "Another.")
                                .profile()))));
        for (String none : List.of("NaN", "Infinity", "-Inf", "1e999", "null", "\"fast\"", "true", "[1]", "{}")) {
            cases.add(numbers("a time of " + none, "\"total_time\": " + none + ", " + COUNTS)
                    .expecting(
                            LATENCY,
                            most("total_time", "17 ms"),
                            relativeTo(MeasuredFixture.of("total_time", 1).profile())));
        }
        String throttled =
                TIMES + ", " + COUNTS + ", \"mfu_estimated_percent\": 0.5, \"throttle_%s_active_time_nc4_percent\": %s";
        for (String limiter : List.of("activity_1", "periodic", "unknown")) {
            cases.add(numbers("throttled by " + limiter, throttled.formatted(limiter, "0.27"))
                    .expecting(
                            LATENCY,
                            least("mfu_estimated_percent", "40 %"),
                            relativeTo(MeasuredFixture.of("total_time", 1).profile())));
        }
        for (String average : List.of(
                "throttle_activity_1_avg_util_limit_nc4_percent",
                "throttle_periodic_avg_util_limit_nc0_percent",
                "throttle_avg_util_limit_nc0_percent",
                "throttle_avg_util_limit")) {
            for (String limit : List.of("0.56", "0", "NaN")) {
                cases.add(numbers(
                                "an average of %s as %s alone".formatted(limit, average),
                                TIMES + ", " + COUNTS + ", \"" + average + "\": " + limit)
                        .expecting(
                                LATENCY,
                                relativeTo(MeasuredFixture.of("total_time", 1).profile())));
            }
        }
        cases.add(numbers(
                        "nanoseconds under limits alone",
                        TIMES + ", " + COUNTS + ", \"throttle_active_nc0_time_ns\": 500000")
                .expecting(LATENCY));
        for (String other : List.of(
                "throttle_Activity_1_active_time_nc4_percent",
                "throttle_current-ramp_active_time_nc4_percent",
                "throttle_activity_1_active_time_core4_percent",
                "throttle_tdp_average_utilization_limit_nc4_percent",
                "max_achievable_util_with_throttling_percent",
                "throttled_time")) {
            cases.add(numbers("throttled by " + other, TIMES + ", " + COUNTS + ", \"" + other + "\": 0.56")
                    .expecting(
                            LATENCY,
                            relativeTo(MeasuredFixture.of("total_time", 1).profile())));
        }
        cases.add(numbers("a part of a cycle", TIMES + ", " + COUNTS + ", \"neuroncore_cycle_count\": 1e-3")
                .expecting(most("neuroncore_cycle_count", "17000")));
        cases.add(numbers("no cycles with a sign", TIMES + ", " + COUNTS + ", \"neuroncore_cycle_count\": -0.0")
                .expecting(most("neuroncore_cycle_count", "17000")));
        cases.add(numbers("no cycles", TIMES + ", " + COUNTS + ", \"neuroncore_cycle_count\": 0")
                .expecting(most("neuroncore_cycle_count", "17000")));
        cases.add(numbers("no time for collectives beside some", TIMES + ", " + COUNTS + ", \"cc_op_time\": 0")
                .expecting(new RelativeExpectation(
                        "cc_op_time",
                        Optional.of(new Fraction(2)),
                        Optional.empty(),
                        "other",
                        () -> Optional.of(MeasuredFixture.of("cc_op_time", 0.5).profile()),
                        "@RelativeToTest")));
        for (String unreadable : List.of("NaN", "\"n/a\"", "-1")) {
            cases.add(numbers("throttling of " + unreadable, throttled.formatted("activity_1", unreadable))
                    .expecting(
                            LATENCY,
                            relativeTo(MeasuredFixture.of("total_time", 1).profile())));
        }
        return cases.stream();
    }

    private static Stream<Case> bad() {
        return Stream.of(traces(), outputs(), numbers()).flatMap(cases -> cases);
    }

    /** Returns valid cases, without which the others would prove nothing. */
    private static Stream<Case> well() {
        return Stream.concat(
                Stream.of(4, 5, 6, 7).map(version -> trace("version " + version, ntff(version, UUID + STRAY, 64))),
                Stream.of(
                        trace("a UUID with a zero byte", ntff(7, "db6e2c1f", 64))
                                .ofNeff("db6e2c1f002233445566778899aabbcc"),
                        trace("captured, of a UUID with a leading zero byte", ntff(7, "", 64))
                                .ofNeff(LEADING_ZERO),
                        trace("captured, of a UUID of zeros", ntff(7, "", 64)).ofNeff("00".repeat(16)),
                        trace("of a workload, of a UUID with a leading zero byte", ntff(7, "", 64))
                                .ofNeff(LEADING_ZERO)
                                .from(TraceOrigin.PAIRED_BY_NAME),
                        output("a log around it", "WARN[0000] {\n" + SUMMARY + "\nINFO[0002] done {}\n"),
                        output("a JSON log around it", "{\"level\": \"info\", \"total_time\": 9}\n" + SUMMARY),
                        output("a JSON log with numbers for levels", "{\"level\": 30, \"total_time\": 9}\n" + SUMMARY),
                        output("a full JSON", "{\"summary\": [{" + TIMES + ", " + COUNTS + "}], \"version\": 2}"),
                        numbers(
                                        "throttled, for what is no time",
                                        TIMES + ", " + COUNTS
                                                + ", \"throttle_activity_1_active_time_nc0_percent\": 0.9")
                                .expecting(SPILL, most("hbm_read_bytes", "4 KiB")),
                        numbers(
                                "limits that limit nothing",
                                TIMES + ", " + COUNTS
                                        + ", \"throttle_activity_0_active_time_nc0_percent\": 0.29, \"throttle_activity_0_avg_util_limit_nc0_percent\": 1.0967"),
                        numbers(
                                        "no time for collectives, for a limit of its own",
                                        TIMES + ", " + COUNTS + ", \"cc_op_time\": 0")
                                .expecting(most("cc_op_time", "1 ms")),
                        numbers(
                                "an average of all limits beside the limits",
                                TIMES + ", " + COUNTS
                                        + ", \"throttle_activity_0_active_time_nc0_percent\": 0.005, \"throttle_activity_0_avg_util_limit_nc0_percent\": 0.875, \"throttle_avg_util_limit_nc0_percent\": 0.036"),
                        numbers(
                                "an average that limits nothing",
                                TIMES + ", " + COUNTS + ", \"throttle_avg_util_limit_nc0_percent\": 1.0967"),
                        output("inaccurate DMA, for what is none", SUMMARY)
                                .logging("DMA results may not be accurate\n")
                                .expecting(LATENCY, most("event_count", "7")),
                        output("an error of another kind", SUMMARY).logging("ERRO[0003] something new\n"),
                        output("nothing that was lost", SUMMARY).logging("INFO[0003] 0 events were dropped\n"),
                        trace("a first execution, for what is no time", good())
                                .doubted(ValidityChecks.firstExecution(Path.of("profile.ntff")))
                                .expecting(SPILL)));
    }

    @Test
    void comparisonIsUndecidedWithUnreadableThrottling() throws IOException {
        // given
        Profile profile = profile(numbers(
                "throttled", TIMES + ", " + COUNTS + ", \"throttle_activity_1_active_time_nc4_percent\": \"n/a\""));

        // then
        assertThat(relativeTo(profile).judge(profile).undecided()).isNotEmpty();
    }

    @Test
    void reportsTraceWithoutDuration() throws IOException {
        // given
        byte[] without = HeaderFixture.ntff(
                7,
                new Message()
                        .text(1, "file.neff")
                        .bytes(2, HeaderFixture.hex(UUID + STRAY))
                        .toBytes(),
                64);

        // then
        assertThat(profile(trace("whole", good())).notices()).isEmpty();
        assertThat(profile(trace("without a graph", without)).notices())
                .singleElement()
                .asString()
                .contains("does not contain the duration of its execution");
    }

    private Profile profile(Case given) throws IOException {
        Path neff = Files.write(folder.resolve("model.neff"), ToolFixture.neff("model", given.neffUuid(), 1));
        Path ntff = Files.write(folder.resolve("profile_exec_2.ntff"), given.ntff());
        TraceFiles.Trace trace = new TraceFiles.Trace(ntff, OptionalInt.empty(), 2, given.ntff().length);
        List<String> notices = new ArrayList<>();
        TraceGuard guard = new TraceGuard(0.05, notices::add);
        TraceGuard.Inspected seen =
                guard.inspect(neff, Optional.of(NeffHeader.read(neff)), trace, given.origin(), given.known());
        Viewer.Viewed viewed = seen.worthViewing()
                ? Viewer.Viewed.of("neuron-explorer 2.32.7.0", ntff, given.printed(), new ToolLog(given.log()), folder)
                : Viewer.Viewed.NOTHING;
        return new Profile(
                "model",
                CaptureKind.REPLAY,
                "neuron-explorer 2.32.7.0",
                guard.executions(neff, trace, seen, viewed),
                List.of(),
                List.of(),
                notices,
                List.of(),
                folder,
                Optional.empty());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void badInputPassesNoExpectation(Case given) throws IOException {
        // given
        Profile profile = profile(given);

        for (Expectation<Profile> expectation : given.expectations()) {
            // when
            Judgement judgement = expectation.judge(profile);

            // then
            assertThat(judgement.violations().size() + judgement.undecided().size())
                    .as("violations and undecided expectations")
                    .isPositive();
            assertThat(judgement.undecided())
                    .extracting(Undecided::reason)
                    .allSatisfy(reason -> assertThat(reason).isNotBlank());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("well")
    void goodInputPassesEachExpectation(Case given) throws IOException {
        // given
        Profile profile = profile(given);

        // then
        for (Expectation<Profile> expectation : given.expectations()) {
            Judgement judgement = expectation.judge(profile);
            assertThat(judgement.violations()).isEmpty();
            assertThat(judgement.undecided()).isEmpty();
        }
    }
}
