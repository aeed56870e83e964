package dev.neurontest.internal.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.baseline.SampleDoubt;
import dev.neurontest.baseline.SampleDoubt.Kind;
import dev.neurontest.baseline.Samples;
import dev.neurontest.baseline.SamplesException;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Unit;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the formats of results, by files in the form that each harness writes. */
class ResultFileTest {

    private static final Instant STARTED = Instant.parse("2026-11-01T10:00:00Z");
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss");

    @TempDir
    private Path folder;

    private final ResultFile results = new ResultFile("python3 (pid 1)", STARTED, Instant.MAX, List.of());

    private static String resource(String file) throws IOException {
        try (InputStream content = Objects.requireNonNull(ResultFileTest.class.getResourceAsStream(file))) {
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Path written(String content) throws IOException {
        return Files.writeString(folder.resolve("bench.json"), content);
    }

    /** Reads a file of a harness with one text replaced by another. */
    private Samples changed(String file, String name, String text, String by) throws IOException {
        String content = resource(file);
        assertThat(content).contains(text);
        return results.samples(name, written(content.replace(text, by)));
    }

    private static List<Double> numbers(String text) {
        return Arrays.stream(text.split(" ")).map(Double::valueOf).toList();
    }

    private static void isDoubted(Samples samples, Kind kind, String reason) {
        assertThat(samples.doubts()).extracting(SampleDoubt::kind).containsOnly(kind);
        assertThat(samples.doubts())
                .extracting(SampleDoubt::reason)
                .anySatisfy(each -> assertThat(each).contains(reason));
        assertThatThrownBy(samples::median)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("proves nothing")
                .hasMessageContaining(reason);
    }

    @Nested
    class Values {

        @ParameterizedTest
        @CsvSource(textBlock = """
                nrtpy.json, latency, 3.1e-6 3e-6 3.2e-6 4.1e-6 3e-6, SECONDS, LOWER, DEVICE, ''
                nrtpy.json, mean_ms, 3.3e-6, SECONDS, LOWER, DEVICE, mean_ms
                nrtpy.json, std_dev_ms, 4e-7, SECONDS, NEITHER, DEVICE, std_dev_ms
                nrtpy.json, iterations, 5, COUNT, NEITHER, DEVICE, iterations
                nrtpy-aggregates.json, latency, 3.2e-6, SECONDS, LOWER, HOST, mean_ms
                benchmark_report.json, token_generation_model.latency_ms_p50, 0.00142, SECONDS, LOWER, HOST, token_generation_model.latency_ms_p50
                benchmark_report.json, e2e_model.latency_ms_avg, 1.5209, SECONDS, LOWER, HOST, e2e_model.latency_ms_avg
                benchmark_report.json, e2e_model.throughput, 2692.9, PER_SECOND, HIGHER, HOST, e2e_model.throughput
                vllm-serve.json, ttft, 0.055, SECONDS, LOWER, CLIENT, median_ttft_ms
                vllm-serve.json, tpot, 0.01, SECONDS, LOWER, CLIENT, median_tpot_ms
                vllm-serve.json, p99_ttft_ms, 0.0697, SECONDS, LOWER, CLIENT, p99_ttft_ms
                vllm-serve.json, std_ttft_ms, 0.0083, SECONDS, NEITHER, CLIENT, std_ttft_ms
                vllm-serve.json, output_throughput, 100, PER_SECOND, HIGHER, CLIENT, output_throughput
                vllm-serve.json, total_output_tokens, 200, COUNT, NEITHER, CLIENT, total_output_tokens
                vllm-serve.json, duration, 2, SECONDS, NEITHER, CLIENT, duration
                vllm-serve-detailed.json, ttft, 0.05 0.06 0.05 0.07, SECONDS, LOWER, CLIENT, ''
                vllm-serve-detailed.json, itl, 0.01 0.012 0.01 0.01 0.01 0.01, SECONDS, LOWER, CLIENT, ''
                vllm-serve-detailed.json, e2el, 0.55 0.56 0.55 0.57, SECONDS, LOWER, CLIENT, ''
                vllm-serve-detailed.json, tpot, 0.01, SECONDS, LOWER, CLIENT, median_tpot_ms
                vllm-latency.json, latency, 1.52 1.5 1.48, SECONDS, LOWER, HOST, ''
                vllm-latency.json, avg_latency, 1.5, SECONDS, LOWER, HOST, avg_latency
                vllm-latency.json, percentiles.99, 1.5196, SECONDS, LOWER, HOST, percentiles.99
                vllm-throughput.json, requests_per_second, 8, PER_SECOND, HIGHER, HOST, requests_per_second
                vllm-throughput.json, tokens_per_second, 2048, PER_SECOND, HIGHER, HOST, tokens_per_second
                vllm-throughput.json, elapsed_time, 12.5, SECONDS, NEITHER, HOST, elapsed_time
                pytest.json, tests/test_k.py::test_k, 0.0011 0.0012 0.0013, SECONDS, LOWER, HOST, ''
                pytest.json, tests/test_k.py::test_fast[8], 1e-6 3e-6, SECONDS, LOWER, HOST, means of several calls
                pytest.json, tests/test_k.py::test_saved, 0.03, SECONDS, LOWER, HOST, median
                own.json, decode, 0.00142 0.0014305, SECONDS, LOWER, DEVICE, ''
                own.json, hbm, 1572864, BYTES, LOWER, HOST, peak
                own.json, mfu, 0.415, FRACTION, HIGHER, DEVICE, ''
                own.json, tokens, 705.5, PER_SECOND, HIGHER, CLIENT, mean
                own.json, steps, 0, COUNT, NEITHER, HOST, ''
                """)
        void areReadInBaseUnits(
                String file,
                String name,
                String values,
                Unit unit,
                Direction better,
                Samples.Clock clock,
                String aggregate)
                throws IOException {
            // when
            Samples samples = results.samples(name, written(resource(file)));

            // then
            assertThat(samples.doubts()).isEmpty();
            assertThat(samples.values())
                    .usingComparatorForType(
                            (one, two) -> Math.abs(one - two) <= 1e-12 * Math.abs(two) ? 0 : 1, Double.class)
                    .isEqualTo(numbers(values));
            assertThat(samples.unit()).isEqualTo(unit);
            assertThat(samples.better()).isEqualTo(better);
            assertThat(samples.clock()).isEqualTo(clock);
            assertThat(samples.aggregate()).isEqualTo(Optional.of(aggregate).filter(key -> !key.isEmpty()));
        }

        @ParameterizedTest
        @CsvSource(textBlock = """
                vllm-serve-detailed.json, ttft, backend=openai burstiness=1 endpoint_type=openai format=vllm_bench_serve max_concurrency=2 model_id=m num_prompts=4 request_rate=8 tokenizer_id=m total_input_tokens=400
                vllm-serve.json, ttft, backend=openai burstiness=1 endpoint_type=openai format=vllm_bench_serve model_id=m num_prompts=4 request_rate=inf tokenizer_id=m total_input_tokens=400
                vllm-throughput.json, tokens_per_second, format=vllm_bench_throughput num_requests=100 total_num_tokens=25600
                own.json, decode, batch=8 format=neuron_test_samples model=m
                """)
        void haveConditionsOfRun(String file, String name, String conditions) throws IOException {
            // when
            Map<String, String> found =
                    results.samples(name, written(resource(file))).conditions();

            // then
            assertThat(found.entrySet().stream()
                            .map(each -> each.getKey() + "=" + each.getValue().replace(' ', '_'))
                            .collect(Collectors.joining(" ")))
                    .isEqualTo(conditions);
        }

        @Test
        void keepConditionNamedFormat() throws IOException {
            // when
            Samples samples = changed("own.json", "decode", "\"batch\": 8", "\"format\": \"bf16\"");

            // then
            assertThat(samples.conditions()).containsEntry("format", "bf16, neuron_test_samples");
        }

        @Test
        void haveDifferentConditionsForLongTexts() throws IOException {
            // given
            String start = "x".repeat(500);

            // when
            Samples one = changed("own.json", "decode", "\"m\"", "\"%s1\"".formatted(start));
            Samples two = changed("own.json", "decode", "\"m\"", "\"%s2\"".formatted(start));

            // then
            assertThat(one.conditions().get("model")).hasSizeLessThan(250);
            assertThat(one.conditions()).isNotEqualTo(two.conditions());
        }

        @Test
        void areNotComparedWithMeanWithoutDurations() throws IOException {
            assertThat(changed("nrtpy-aggregates.json", "min_ms", "0.0030", "0.0010")
                            .doubts())
                    .isEmpty();
        }

        @Test
        void areComparedWithRoundedAggregate() throws IOException {
            assertThat(changed("nrtpy.json", "latency", "\"mean_ms\": 0.0033", "\"mean_ms\": 0.003")
                            .doubts())
                    .isEmpty();
        }

        @Test
        void comeFromPrintedLines() throws IOException {
            // given
            String printed =
                    "loading\n  {\"neuron_test_samples\": 1, \"name\": \"decode\", \"unit\": \"ms\", \"better\": \"lower\","
                            + " \"clock\": \"device\", \"values\": [1.5, 2]}\r\ndone {\"neuron_test_samples\": 1}\n";

            // then
            assertThat(results.samples("decode", printed).values()).containsExactly(0.0015, 0.002);
        }

        @Test
        void areReadFromResultOfMillionTokens() throws IOException {
            // given
            String gaps = IntStream.range(0, 1000)
                    .mapToObj(request -> "[" + "0.012345678901234567, ".repeat(999) + "0.012]")
                    .collect(Collectors.joining(", ", "[", "]"));
            String lists =
                    "\"ttfts\": [" + "0.05, ".repeat(999) + "0.05], \"itls\": " + gaps + ", \"num_prompts\": 1000";
            String content = resource("vllm-serve.json")
                    .replace("\"num_prompts\": 4", lists)
                    .replace("\"completed\": 4", "\"completed\": 1000")
                    .replace("\"median_itl_ms\": 10.0", "\"median_itl_ms\": 12.3");

            // then
            assertThat(results.samples("itl", written(content)).values()).hasSize(1_000_000);
        }
    }

    @Nested
    class Doubts {

        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                vllm-serve-detailed.json | "failed": 0 | "failed": 2 | 2 requests failed
                vllm-serve-detailed.json | ["", "", "", ""] | ["", "Traceback (most recent call last):\\nValueError: 503", "", "x"] | 2 requests ended with an error, the first with "ValueError: 503"
                vllm-serve-detailed.json | ["", "", "", ""] | [null, {"code": 503}, "", ""] | 1 request ended with an error, the first with "{code=503.0}"
                """)
        void failWhenResultReportsFailure(String file, String text, String by, String reason) throws IOException {
            isDoubted(changed(file, "ttft", text, by), Kind.FAILED, reason);
            isDoubted(changed(file, "output_throughput", text, by), Kind.FAILED, reason);
            isDoubted(changed(file, "p99_itl_ms", text, by), Kind.FAILED, reason);
        }

        @Test
        void failWhenExecutionsOfOwnFormatFailed() throws IOException {
            isDoubted(
                    changed("own.json", "decode", "\"failed\": 0", "\"failed\": 1"),
                    Kind.FAILED,
                    "1 of the executions of decode failed");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
                nrtpy.json | latency | "iterations": 5 | "iterations": 6 | durations_ms has 5 values, but iterations is 6
                nrtpy.json | latency | , "mode": "device" | - | the member mode is not "device" or "host"
                nrtpy.json | latency | "device" | "wall" | the member mode is not "device" or "host"
                nrtpy.json | latency | [0.0031, 0.003, 0.0032, 0.0041, 0.003] | [] | durations_ms is an empty list
                nrtpy.json | latency | [0.0031, | [0, | durations_ms[0] is 0, which is not a measurement
                nrtpy.json | latency | [0.0031, | [-1, | durations_ms[0] is -1, which is the mark of a missing value
                nrtpy.json | latency | [0.0031, | [null, | durations_ms[0] is null
                nrtpy.json | latency | [0.0031, | [NaN, | durations_ms[0] is NaN
                nrtpy.json | latency | [0.0031, | [1e999, | durations_ms[0] is Infinity
                nrtpy.json | latency | [0.0031, | ["0.0031", | durations_ms[0] is the text "0.0031" instead of a number
                nrtpy.json | latency | [0.0031, | [[0.0031], | durations_ms[0] is not a number
                nrtpy.json | latency | "mean_ms": 0.0033 | "mean_ms": 3.3 | durations_ms gives 3.28 µs, but mean_ms is 3.3 ms
                nrtpy.json | latency | "mean_ms": 0.0033 | "mean_ms": 0.0053 | of other executions or in another unit
                nrtpy.json | latency | "mean_ms": 0.0033 | "mean_ms": -1 | durations_ms gives 3.28 µs, but mean_ms is -1
                nrtpy.json | latency | "mean_ms": 0.0033 | "mean_ms": null | durations_ms gives 3.28 µs, but mean_ms is null
                nrtpy.json | mean_ms | "iterations": 5 | "iterations": 6 | durations_ms has 5 values, but iterations is 6
                nrtpy.json | min_ms | "min_ms": 0.003 | "min_ms": 3 | min_ms is 3 ms, but durations_ms has values from 3 µs to 4.1 µs
                vllm-serve-detailed.json | p99_ttft_ms | 69.7 | 0.0697 | p99_ttft_ms is 69.7 µs, but ttfts has values from 50 ms to 70 ms
                vllm-serve-detailed.json | p99_itl_ms | 11.9 | 11900 | p99_itl_ms is 11.9 s, but itls has values from 10 ms to 12 ms
                vllm-latency.json | percentiles.99 | 1.5196 | 1519.6 | percentiles.99 is 1519.6 s, but latencies has values from 1.48 s to 1.52 s
                nrtpy.json | min_ms | [0.0031, | [0, | durations_ms[0] is 0, which is not a measurement
                nrtpy.json | latency | "iterations": 5 | "iterations": null | durations_ms has 5 values, but iterations is null
                nrtpy.json | latency | "iterations": 5 | "iterations": "6" | durations_ms has 5 values, but iterations is 6
                nrtpy-aggregates.json | latency | "mode" | "iterations": 0, "mode" | iterations is 0, expected the number of executions
                nrtpy-aggregates.json | min_ms | "mode" | "iterations": -1, "mode" | iterations is -1, expected the number of executions
                nrtpy-aggregates.json | latency | 0.0032 | "N/A" | mean_ms is the text "N/A" instead of a number
                benchmark_report.json | vision_encoder_model.latency_ms_p50 | null | null | vision_encoder_model is null: it was never called
                benchmark_report.json | vision_encoder_model.throughput | null | null | vision_encoder_model is null: it was never called
                benchmark_report.json | token_generation_model.latency_ms_p50 | 1.42, "latency_ms_p90" | null, "latency_ms_p90" | latency_ms_p50 is null
                benchmark_report.json | token_generation_model.latency_ms_p50 | 1.42, "latency_ms_p90" | -1.0, "latency_ms_p90" | latency_ms_p50 is -1, which is the mark of a missing value
                benchmark_report.json | token_generation_model.throughput | 705.3 | 0.0 | throughput is 0, which is not a measurement
                benchmark_report.json | e2e_model.throughput | 2692.9 | "2692.9" | throughput is the text "2692.9"
                vllm-serve.json | ttft | "completed": 4 | "completed": 3 | 3 of 4 requests completed
                vllm-serve.json | ttft | "completed": 4 | "completed": "4" | num_prompts or completed is not a number
                vllm-serve.json | output_throughput | "completed": 4 | "completed": 3 | 3 of 4 requests completed
                vllm-serve.json | ttft | "median_ttft_ms": 55.0 | "median_ttft_ms": 0.0 | median_ttft_ms is 0, which is not a measurement
                vllm-serve.json | request_goodput | "request_goodput": null | "request_goodput": null | request_goodput is null
                vllm-serve-detailed.json | ttft | [0.05, 0.06, | [0.0, 0.06, | 1 of 4 values are no measurements: ttfts[0] is 0
                vllm-serve-detailed.json | ttft | "ttfts": [0.05, | "ttfts": [ | ttfts has 3 values, but num_prompts is 4
                vllm-serve-detailed.json | ttft | "ttfts": [0.05, 0.06, 0.05, 0.07] | "ttfts": [50, 60, 50, 70] | ttfts gives 55 s, but median_ttft_ms is 55 ms
                vllm-serve-detailed.json | itl | [0.01, 0.01], [0.01, 0.01], [] | [0.01, 0.01], [] | itls has 3 values, but num_prompts is 4
                vllm-serve-detailed.json | output_throughput | "ttfts": [0.05, | "ttfts": [ | ttfts has 3 values, but num_prompts is 4
                vllm-serve-detailed.json | p99_ttft_ms | [0.05, 0.06, | [0.0, 0.06, | ttfts[0] is 0, which is not a measurement
                vllm-serve-detailed.json | ttft | ["", "", "", ""] | [""] | errors has 1 values, but num_prompts is 4
                vllm-serve-detailed.json | e2el | "output_lens": [3, | "output_lens": [0, | 1 of 4 requests completed without an output token
                vllm-serve-detailed.json | ttft | "errors": ["", "", "", ""] | "errors": "unknown" | errors is unknown, expected a list
                vllm-serve.json | request_throughput | "total_output_tokens": 200 | "total_output_tokens": 0 | total_output_tokens is 0: no request has an output
                vllm-serve-detailed.json | ttft | "failed": 0 | "failed": null | failed is null, expected a number of requests
                vllm-serve-detailed.json | ttft | "failed": 0 | "failed": "3" | failed is 3, expected a number of requests
                vllm-serve-detailed.json | ttft | "failed": 0 | "failed": NaN | failed is NaN, expected a number of requests
                vllm-serve.json | ttft | "num_prompts": 4, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": null, "duration": 2.0, "completed": 4 | "num_prompts": NaN, "completed": NaN | the number of completed requests is unknown
                vllm-serve.json | ttft | "num_prompts": 4, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": null, "duration": 2.0, "completed": 4 | "num_prompts": -1, "completed": -1 | the number of completed requests is unknown
                vllm-serve-detailed.json | itl | [[0.01, 0.012], [0.01, 0.01], [0.01, 0.01], []] | [[], [], [], []] | itls is an empty list
                vllm-serve-detailed.json | itl | [0.01, 0.012] | [0.01, -1] | itls[1] is -1
                vllm-serve-detailed.json | itl | [[0.01, 0.012], | [null, | itls[0] is null
                vllm-latency.json | latency | [1.52, 1.5, 1.48] | [1520, 1500, 1480] | latencies gives 1500 s, but avg_latency is 1.5 s
                vllm-latency.json | avg_latency | [1.52, 1.5, 1.48] | [] | latencies is an empty list
                vllm-latency.json | percentiles.99 | 1.48] | 0] | latencies[2] is 0, which is not a measurement
                vllm-latency.json | latency | [1.52, 1.5, 1.48] | null | latencies is null
                vllm-throughput.json | tokens_per_second | 2048.0 | 0 | tokens_per_second is 0
                vllm-throughput.json | requests_per_second | "num_requests": 100 | "num_requests": 0 | num_requests is 0, expected the number of executions
                vllm-throughput.json | tokens_per_second | "num_requests": 100 | "num_requests": null | num_requests is null, expected the number of executions
                vllm-throughput.json | tokens_per_second | , "tokens_per_second": 2048.0 | - | tokens_per_second is absent
                pytest.json | tests/test_k.py::test_k | "rounds": 3 | "rounds": 5 | data has 3 values, but rounds is 5
                pytest.json | tests/test_k.py::test_k | "iterations": 1} | "iterations": 0} | iterations is 0, expected the number of executions
                pytest.json | tests/test_k.py::test_saved | "rounds": 20 | "rounds": 0 | rounds is 0, expected the number of executions
                pytest.json | tests/test_k.py::test_saved | "median": 0.03, | - | median is absent
                pytest.json | tests/test_k.py::test_k | test_fast[8]" | test_k" | two entries have the name tests/test_k.py::test_k
                own.json | decode | "asked": 2 | "asked": 3 | 2 of 3 executions of decode completed
                own.json | decode | "asked": 2 | "asked": 1 | 2 of 1 executions of decode completed
                own.json | decode | "asked": 2, | "asked": 100, "completed": 100, | values has 2 values, but completed is 100
                own.json | decode | "asked": 2, | "completed": 1, | values has 2 values, but completed is 1
                own.json | tokens | , "completed": 20 | - | asked is 20, but completed is absent
                own.json | tokens | "asked": 20, "completed": 20 | "asked": 0, "completed": 0 | no execution of tokens completed
                own.json | tokens | "completed": 20 | "completed": 19 | 19 of 20 executions of tokens completed
                own.json | decode | [1420, 1430.5] | [] | values is an empty list
                own.json | decode | "name": "hbm" | "name": "decode" | two entries have the name decode
                own.json | decode | "values": [1.5] | "values": [1.5], "conditions": {"batch": 16} | batch is 8 and 16
                """)
        void areIncompleteWithoutAllValues(String file, String name, String text, String by, String reason)
                throws IOException {
            isDoubted(changed(file, name, text, by == null ? "" : by), Kind.INCOMPLETE, reason);
        }

        @Test
        void areIncompleteWhenFileIsOlderThanProgram() throws IOException {
            // given
            Path file = written(resource("nrtpy.json"));
            Files.setLastModifiedTime(file, FileTime.from(STARTED.minusSeconds(5)));

            // then
            isDoubted(results.samples("latency", file), Kind.INCOMPLETE, "it is the result of another run");
        }

        @ParameterizedTest
        @ValueSource(longs = {-1, 0, 1, 60_000})
        void areAbsentWhenFileIsWrittenSinceStart(long millis) throws IOException {
            // given
            Path file = written(resource("nrtpy.json"));
            Files.setLastModifiedTime(file, FileTime.from(STARTED.plus(Duration.ofMillis(millis))));

            // then
            assertThat(results.samples("latency", file).doubts()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"12, true", "3600, true", "-1, false", "5, false"})
        void areIncompleteWhenFileIsChangedLongAfterEnd(long seconds, boolean doubted) throws IOException {
            // given
            Instant end = STARTED.plusSeconds(30);
            ResultFile ended = new ResultFile("python3 (pid 1)", STARTED, end, List.of());
            Path file = written(resource("nrtpy.json"));
            Files.setLastModifiedTime(file, FileTime.from(end.plusSeconds(seconds)));

            // when
            Samples samples = ended.samples("latency", file);

            // then
            if (doubted) {
                isDoubted(samples, Kind.INCOMPLETE, "after the program had ended at 2026-11-01T10:00:30Z");
            } else {
                assertThat(samples.doubts()).isEmpty();
            }
        }

        @Test
        void areAbsentWhenFileSystemHasWholeSeconds() throws IOException {
            // given
            ResultFile late = new ResultFile("python3 (pid 1)", STARTED.plusMillis(900), Instant.MAX, List.of());
            Path file = written(resource("nrtpy.json"));
            Files.setLastModifiedTime(file, FileTime.from(STARTED));

            // then
            assertThat(late.samples("latency", file).doubts()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"nrtpy.json latency", "vllm-latency.json latency", "vllm-throughput.json tokens_per_second"})
        void areIncompleteWithTwoResultsInOneFile(String fileAndName) throws IOException {
            // given
            String[] both = fileAndName.split(" ");
            Path file = written(resource(both[0]) + "\n" + resource(both[0]));

            // then
            isDoubted(results.samples(both[1], file), Kind.INCOMPLETE, "the file has 2 results");
        }

        @Test
        void includeThoseOfProgram() throws IOException {
            // given
            ResultFile cut = new ResultFile(
                    "python3 (pid 1)",
                    STARTED,
                    Instant.MAX,
                    List.of(new SampleDoubt(Kind.FAILED, "the program timed out")));

            // then
            isDoubted(cut.samples("latency", written(resource("nrtpy.json"))), Kind.FAILED, "the program timed out");
        }

        @Test
        void areIncompleteWithFewerExecutionsThanTestExpects() throws IOException {
            // given
            Path file = written(resource("nrtpy.json"));

            // then
            assertThat(results.samples("latency", file).expecting(5).doubts()).isEmpty();
            isDoubted(
                    results.samples("latency", file).expecting(200),
                    Kind.INCOMPLETE,
                    "the result has 5 values, but 200 were requested");
            isDoubted(
                    results.samples("mean_ms", file).expecting(5),
                    Kind.INCOMPLETE,
                    "does not show whether there were 5 executions");
        }
    }

    @Nested
    class AppendedResults {

        private String entry(Duration afterStart, double seconds) throws IOException {
            String date = LocalDateTime.ofInstant(STARTED.plus(afterStart), ZoneId.systemDefault())
                    .format(DATE);
            return resource("vllm-serve.json")
                    .replace("20261101-120000", date)
                    .replace("\"median_ttft_ms\": 55.0", "\"median_ttft_ms\": " + seconds * 1000);
        }

        @Test
        void giveEntryOfThisRun() throws IOException {
            // given
            Path file = written(entry(Duration.ofHours(-2), 0.01)
                    + entry(Duration.ofSeconds(-30), 0.02)
                    + entry(Duration.ofSeconds(30), 0.03));

            // then
            assertThat(results.samples("ttft", file).values()).containsExactly(0.03);
        }

        @ParameterizedTest
        @CsvSource({"-60, -30", "30, 60", "30, -60"})
        void areIncompleteUnlessOnlyLastIsOfThisRun(long first, long last) throws IOException {
            // given
            Path file = written(entry(Duration.ofSeconds(first), 0.01) + entry(Duration.ofSeconds(last), 0.02));

            // then
            isDoubted(results.samples("ttft", file), Kind.INCOMPLETE, "the result of this run is unknown");
        }

        @Test
        void leaveOutEntryThatEndedInSecondOfStart() throws IOException {
            // given
            Path file = written(entry(Duration.ZERO, 0.01) + entry(Duration.ofSeconds(4), 0.02));

            // then
            assertThat(results.samples("ttft", file).values()).containsExactly(0.02);
        }

        @ParameterizedTest
        @CsvSource({"true, true", "true, false", "false, true"})
        void areIncompleteWithoutDates(boolean firstIsUndated, boolean lastIsUndated) throws IOException {
            // given
            String first = entry(Duration.ofHours(-1), 0.01);
            String last = entry(Duration.ofSeconds(30), 0.02);
            String date = "\"date\": \"[^\"]*\"";
            String undated = "\"date\": \"today\"";

            // when
            Samples samples = results.samples(
                    "ttft",
                    written((firstIsUndated ? first.replaceFirst(date, undated) : first)
                            + (lastIsUndated ? last.replaceFirst(date, undated) : last)));

            // then
            isDoubted(samples, Kind.INCOMPLETE, "the result of this run is unknown");
        }
    }

    @Nested
    class Errors {

        private void isRefused(String content, String message) throws IOException {
            Path file = written(content);
            assertThatThrownBy(() -> results.samples("ttft", file))
                    .isInstanceOf(SamplesException.class)
                    .hasMessageStartingWith("%s of python3 (pid 1): ".formatted(file))
                    .hasMessageContaining(message);
        }

        @Test
        void nameMissingFileWithItsWholePath() {
            assertThatThrownBy(() -> results.samples("ttft", Path.of("no-such-bench.json")))
                    .isInstanceOf(SamplesException.class)
                    .hasMessageContaining(Path.of("no-such-bench.json").toAbsolutePath()
                            + ": there is no such file or folder. Check where the program writes it");
        }

        @ParameterizedTest
        @ValueSource(strings = {"no-such-bench.json", "cut.json", "printed"})
        void nameFailureOfProgramThatLeftNoResult(String file) throws IOException {
            // given
            ResultFile failed = new ResultFile(
                    "python3 (pid 1)",
                    STARTED,
                    Instant.MAX,
                    List.of(new SampleDoubt(Kind.FAILED, "the program failed: exit code 1")));
            Files.writeString(folder.resolve("cut.json"), "{\"mean_ms\": 0.00");

            // then
            assertThatThrownBy(() -> {
                        if (file.equals("printed")) {
                            failed.samples("latency", "nothing");
                        } else {
                            failed.samples("latency", folder.resolve(file));
                        }
                    })
                    .isInstanceOf(SamplesException.class)
                    .hasMessageStartingWith("%s of python3 (pid 1): the program failed: exit code 1. Its result: "
                            .formatted(file.equals("printed") ? "stdout" : folder.resolve(file)));
        }

        @Test
        void listNamesInFileNearestFirst() throws IOException {
            assertThatThrownBy(() -> results.samples("tfft", written(resource("vllm-serve.json"))))
                    .isInstanceOf(SamplesException.class)
                    .hasMessageContaining("tfft is not in this result (vllm bench serve). It has ttft, tpot, itl, ");
            assertThatThrownBy(() -> results.samples("test_k", written(resource("pytest.json"))))
                    .hasMessageContaining(
                            "test_k is not in this result (pytest-benchmark). It has tests/test_k.py::test_k, ");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                `` | is empty
                [] | is empty
                7 | has a value other than a JSON object at its top level
                [7] | has a value other than a JSON object at its top level
                {} | has no known format. Known are neuron_test_samples, nrtpy BenchmarkResult, NxDI benchmark_report.json, vllm bench serve, vllm bench latency, vllm bench throughput, pytest-benchmark
                [{"name": "matmul", "unit": "us", "value": 519}] | has no known format
                {"latency_data": {"0": [519, 519]}} | has no known format
                {"e2e_model": {"accuracy": 1}} | has no known format
                {"completed": 4, "request_throughput": 2.0, "median_ttft_ms": 55.0} | has no known format
                {"mean_ms": 1, "min_ms": 1, "max_ms": 1}{"avg_latency": 1, "latencies": [1], "percentiles": {}} | has no known format
                {"mean_ms": 1, "min_ms": 1, "mean_ms": 2, "max_ms": 3} | has the member "mean_ms" twice
                {"mean_ms": 1, "min_ms": 1, "max | it is no result that can be read
                {"mean_ms": 1, "min_ms": 1, "max_ms": 2 | breaks off
                ttft: 55 ms | it is no result that can be read
                {"machine_info": {}, "benchmarks": []} | A benchmark that raised an exception is absent
                """)
        void refuseOtherContent(String content, String message) throws IOException {
            isRefused(content, message);
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                : 1, "name": "decode" | : 2, "name": "decode" | neuron_test_samples is 2.0, but this version reads 1
                "name": "decode" | "name": 7 | needs a text "name"
                "name": "decode" | "name": " " | needs a text "name"
                "unit": "us" | "unit": "usec" | "unit" is "usec", expected one of s, ms, us, ns, /s, B, KiB
                "unit": "us", | `` | needs a text "unit"
                "better": "lower" | "better": "smaller" | "better" is "smaller", expected one of lower, higher, neither
                "clock": "device" | "clock": "gpu" | "clock" is "gpu", expected one of device, host, client
                "clock": "device", | `` | needs a text "clock"
                "values": [1420, 1430.5] | "values": 1420 | needs a list "values"
                "failed": 0 | "faild": 1 | has the unknown member "faild", did you mean "failed"?
                "failed": 0 | "failed": -1 | "failed" is -1.0, expected a whole number
                "asked": 2, | "asked": "2", | "asked" is 2, expected a whole number
                "asked": 2, | "asked": 1e999, "completed": 1e999, | "asked" is Infinity, expected a whole number
                {"batch": 8, "model": "m"} | ["batch 8"] | needs an object "conditions"
                {"batch": 8, "model": "m"} | null | needs an object "conditions"
                "failed": 0 | "aggregate": "" | needs a text "aggregate"
                "failed": 0 | "aggregate": true | needs a text "aggregate"
                {"batch": 8, | {"batch": [8], | the condition batch of decode is not a text, number or boolean
                """)
        void refuseMisspeltMembersOfOwnFormat(String text, String by, String message) throws IOException {
            assertThatThrownBy(() -> changed("own.json", "decode", text, by))
                    .isInstanceOf(SamplesException.class)
                    .hasMessageContaining(message);
        }

        @Test
        void refuseDeepNestingAndTooManyValues() throws IOException {
            isRefused("[".repeat(1000), "nesting depth");
            isRefused("[" + "1,".repeat(4_000_000) + "1]", "more than 4,000,000 values");
        }

        @Test
        void refuseFileOfGigabytesWithoutReadingIt() throws IOException {
            // given
            Path file = folder.resolve("huge.json");
            try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
                huge.setLength(5L << 30);
            }

            // then
            assertThatThrownBy(() -> results.samples("ttft", file))
                    .isInstanceOf(SamplesException.class)
                    .hasMessageContaining("has 5368709120 bytes, and the result of a benchmark has at most 64 MiB");
        }

        @Test
        @DisabledOnOs(OS.WINDOWS)
        void refusePipeWithoutWaiting() throws Exception {
            // given
            Path pipe = folder.resolve("pipe.json");
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();

            // then
            assertThatThrownBy(() -> results.samples("ttft", pipe))
                    .isInstanceOf(SamplesException.class)
                    .hasMessageContaining("is a pipe and was not read");
        }

        @Test
        void refuseFolderAndOtherEncoding() throws IOException {
            assertThatThrownBy(() -> results.samples("ttft", folder)).hasMessageContaining("is a folder");
            Path file = folder.resolve("bench.json");
            Files.write(file, "{\"mean_ms\": 1}".getBytes(StandardCharsets.UTF_16));
            assertThatThrownBy(() -> results.samples("ttft", file)).hasMessageContaining("it is not text in UTF-8");
        }

        @Test
        void refuseOutputWithoutMarkedLine() {
            assertThatThrownBy(() -> results.samples("decode", "decode took 1.5 ms\n"))
                    .isInstanceOf(SamplesException.class)
                    .hasMessageContaining("stdout of python3 (pid 1)")
                    .hasMessageContaining("it has no line that begins with {\"neuron_test_samples\": 1, … ");
        }

        @Test
        void refuseCutLineInOutput() {
            assertThatThrownBy(() -> results.samples("decode", "{\"neuron_test_samples\": 1, \"name\": \"dec"))
                    .isInstanceOf(SamplesException.class)
                    .hasMessageContaining("it is no result that can be read");
        }

        @Test
        void shortenTextsOfFile() throws IOException {
            // given
            String content = resource("nrtpy-aggregates.json").replace("0.0032", "\"" + "x".repeat(1 << 20) + "\"");

            // then
            assertThat(results.samples("latency", written(content)).doubts())
                    .extracting(SampleDoubt::reason)
                    .singleElement()
                    .asString()
                    .startsWith("mean_ms is the text \"xxx")
                    .hasSizeLessThan(300);
        }

        @ParameterizedTest
        @ValueSource(strings = {"4.9e-324", "-1.7e308"})
        void shortenExtremeNumbers(String number) throws IOException {
            // given
            String content = resource("nrtpy.json").replace("[0.0031,", "[%s,".formatted(number));

            // then
            assertThat(results.samples("latency", written(content)).doubts())
                    .extracting(SampleDoubt::reason)
                    .allSatisfy(reason -> assertThat(reason).hasSizeLessThan(200));
        }

        @Test
        void showNamesOfFileWithoutControlCharacters() throws IOException {
            // given
            String content = resource("pytest.json").replace("test_saved\"", "test_\\u001b[31msaved\"");

            // then
            assertThatThrownBy(() -> results.samples("x", written(content)))
                    .hasMessageContaining("test_\\u001b[31msaved")
                    .message()
                    .doesNotContain("\u001b");
        }
    }
}
