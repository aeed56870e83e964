package dev.neurontest.internal.samples;

import static dev.neurontest.internal.samples.FileUnit.COUNT;
import static dev.neurontest.internal.samples.FileUnit.MILLISECONDS;
import static dev.neurontest.internal.samples.FileUnit.PER_SECOND;
import static dev.neurontest.internal.samples.FileUnit.SECONDS;

import dev.neurontest.baseline.Samples.Clock;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.metric.Direction;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The result of {@code vllm bench serve --save-result}. Its lists are in seconds and its aggregates in milliseconds. Its lists contain the
 * failed requests too, its aggregates do not. With {@code --append-result}, the file has one object for each call.
 */
final class VllmServe implements ResultFormat {

    private static final Pattern AGGREGATE = Pattern.compile("(mean|median|std|p[0-9.]+)_(\\w+)_ms");
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT);
    private static final String DURATION = "duration";
    private static final String PROMPTS = "num_prompts";
    private static final String COMPLETED = "completed";

    /** Rates of the whole run. */
    private static final List<String> RATES = List.of(
            "request_throughput",
            "request_goodput",
            "output_throughput",
            "total_token_throughput",
            "max_output_tokens_per_s");

    private static final List<String> COUNTS = List.of(
            PROMPTS, COMPLETED, "failed", "total_input_tokens", "total_output_tokens", "max_concurrent_requests");

    /** The lists with a value for each request or token, by the name of their metric. */
    private static final Map<String, String> LISTS = Map.of("ttft", "ttfts", "itl", "itls", "e2el", "latencies");

    @Override
    public String name() {
        return "vllm bench serve";
    }

    @Override
    public boolean matches(Map<String, Object> entry) {
        return entry.keySet().containsAll(Set.of("model_id", PROMPTS, COMPLETED, "request_throughput"));
    }

    @Override
    public ResultContent read(List<Map<String, Object>> entries, Instant started) {
        ResultContent content = new ResultContent();
        Map<String, Object> result = ofRun(entries, started, content);
        // All texts but the date: also those of --metadata.
        result.forEach((key, value) -> {
            if (value instanceof String text && !key.equals("date")) {
                content.condition(key, text);
            }
        });
        content.conditions(result, PROMPTS, "request_rate", "burstiness", "max_concurrency", "total_input_tokens");
        checkRequests(result, content);
        for (String metric : List.of("ttft", "tpot", "itl", "e2el")) {
            String median = "median_%s_ms".formatted(metric);
            Optional<List<Object>> list =
                    Optional.ofNullable(LISTS.get(metric)).flatMap(key -> ResultJson.list(result.get(key)));
            if (list.isPresent()) {
                content.with(
                        metric,
                        () -> raw(metric, list.get(), result).comparedWith(median, result.get(median), MILLISECONDS));
            } else if (result.containsKey(median)) {
                content.with(
                        metric,
                        () -> Series.aggregate(
                                median, result.get(median), MILLISECONDS, Direction.LOWER, Clock.CLIENT));
            }
        }
        for (String key : result.keySet()) {
            Matcher aggregate = AGGREGATE.matcher(key);
            if (aggregate.matches()) {
                Direction better = aggregate.group(1).equals("std") ? Direction.NEITHER : Direction.LOWER;
                content.with(key, () -> Series.aggregate(key, result.get(key), MILLISECONDS, better, Clock.CLIENT));
            } else if (RATES.contains(key)) {
                content.with(
                        key, () -> Series.aggregate(key, result.get(key), PER_SECOND, Direction.HIGHER, Clock.CLIENT));
            } else if (COUNTS.contains(key)) {
                content.with(key, () -> Series.aggregate(key, result.get(key), COUNT, Direction.NEITHER, Clock.CLIENT));
            } else if (key.equals(DURATION)) {
                content.with(
                        key, () -> Series.aggregate(key, result.get(key), SECONDS, Direction.NEITHER, Clock.CLIENT));
            }
        }
        return content;
    }

    private static Series raw(String metric, List<Object> list, Map<String, Object> result) {
        String key = LISTS.get(metric);
        if (!metric.equals("itl")) {
            return Series.raw(key, list, SECONDS, Direction.LOWER, Clock.CLIENT)
                    .expecting(PROMPTS, result.get(PROMPTS));
        }
        // One list for each request; a request with one token has an empty one.
        List<Object> gaps = new ArrayList<>();
        list.forEach(each -> ResultJson.list(each).ifPresentOrElse(gaps::addAll, () -> gaps.add(each)));
        Series series = Series.raw(key, gaps, SECONDS, Direction.LOWER, Clock.CLIENT);
        return result.get(PROMPTS) instanceof Double prompts && prompts != list.size()
                ? series.incomplete("itls has the gaps of %s, but %s is %s"
                        .formatted(CountText.of(list.size(), "request"), PROMPTS, Math.round(prompts)))
                : series;
    }

    /** Checks that all requests succeeded. A server that answers errors is fast. */
    private static void checkRequests(Map<String, Object> result, ResultContent content) {
        if (result.get("failed") instanceof Double failed && failed != 0) {
            content.failed("%s failed".formatted(CountText.of(Math.round(failed), "request")));
        }
        List<String> errors = ResultJson.list(result.get("errors")).orElse(List.of()).stream()
                .flatMap(error -> ResultJson.text(error).stream())
                .filter(error -> !error.isEmpty())
                .toList();
        if (!errors.isEmpty()) {
            content.failed("%s ended with an error, the first with \"%s\""
                    .formatted(CountText.of(errors.size(), "request"), lastLine(errors.get(0))));
        }
        if (!(result.get(PROMPTS) instanceof Double prompts) || !(result.get(COMPLETED) instanceof Double completed)) {
            content.incomplete("%s or %s is not a number, so the number of completed requests is unknown"
                    .formatted(PROMPTS, COMPLETED));
        } else if (!prompts.equals(completed)) {
            content.incomplete("%s of %s requests completed".formatted(Math.round(completed), Math.round(prompts)));
        } else if (completed == 0) {
            content.incomplete("no request was sent");
        }
    }

    private static String lastLine(String error) {
        String line = error.strip().lines().reduce((first, last) -> last).orElse("");
        return ResultJson.shortened(line);
    }

    /**
     * Returns the entry of this run. Unless the last is the only one that can be of this run, the entry of this run is unknown.
     */
    private static Map<String, Object> ofRun(
            List<Map<String, Object>> entries, Instant started, ResultContent content) {
        Map<String, Object> last = entries.get(entries.size() - 1);
        long ofRun =
                entries.stream().filter(entry -> canBeOfRun(entry, started)).count();
        if (entries.size() > 1
                && (ofRun != 1 || !canBeOfRun(last, started) || end(last).isEmpty())) {
            content.incomplete(
                    "the file has %s, and not only the last has a date after the start of the program, so the result of this run is unknown. Use a new file for each call"
                            .formatted(CountText.of(entries.size(), "appended result")));
        }
        return last;
    }

    /** Returns whether a benchmark can have begun after the start of the program. It can if its end is unknown. */
    private static boolean canBeOfRun(Map<String, Object> entry, Instant started) {
        double duration = entry.get(DURATION) instanceof Double seconds && seconds > 0 ? seconds : 0;
        return end(entry)
                .map(end -> end.minusMillis((long) (1_000 * duration)).isAfter(started))
                .orElse(true);
    }

    /** Returns the latest end of a benchmark by its date, which is in whole seconds by the local clock of the program. */
    private static Optional<Instant> end(Map<String, Object> entry) {
        try {
            return ResultJson.text(entry.get("date"))
                    .map(text -> LocalDateTime.parse(text, DATE)
                            .plusSeconds(1)
                            .atZone(ZoneId.systemDefault())
                            .toInstant());
        } catch (DateTimeException noDate) {
            return Optional.empty();
        }
    }
}
