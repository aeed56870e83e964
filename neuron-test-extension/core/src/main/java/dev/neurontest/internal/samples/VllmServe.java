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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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
    private static final String OUTPUT_TOKENS = "total_output_tokens";

    /** Rates of the whole run. */
    private static final List<String> RATES = List.of(
            "request_throughput",
            "request_goodput",
            "output_throughput",
            "total_token_throughput",
            "max_output_tokens_per_s");

    private static final List<String> COUNTS =
            List.of(PROMPTS, COMPLETED, "failed", "total_input_tokens", OUTPUT_TOKENS, "max_concurrent_requests");

    /** The lists with an element for each request. */
    private static final List<String> OF_REQUESTS =
            List.of("input_lens", "output_lens", "ttfts", "itls", "latencies", "errors");

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
        Map<String, Series> all = new HashMap<>();
        for (String metric : List.of("ttft", "tpot", "itl", "e2el")) {
            String median = "median_%s_ms".formatted(metric);
            Optional<List<Object>> list =
                    Optional.ofNullable(LISTS.get(metric)).flatMap(key -> ResultJson.list(result.get(key)));
            if (list.isPresent()) {
                Series raw = raw(metric, list.get()).comparedWith(median, result.get(median), MILLISECONDS);
                all.put(metric, raw);
                content.with(metric, () -> raw);
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
                content.with(key, () -> {
                    Series series = Series.aggregate(key, result.get(key), MILLISECONDS, better, Clock.CLIENT);
                    return Optional.ofNullable(all.get(aggregate.group(2)))
                            .map(series::summarizing)
                            .orElse(series);
                });
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

    private static Series raw(String metric, List<Object> list) {
        // The gaps of a request are a list; that of a request with one token is empty.
        List<Object> values = new ArrayList<>();
        list.forEach(each -> {
            if (metric.equals("itl")) {
                ResultJson.list(each).ifPresentOrElse(values::addAll, () -> values.add(each));
            } else {
                values.add(each);
            }
        });
        return Series.raw(LISTS.get(metric), values, SECONDS, Direction.LOWER, Clock.CLIENT);
    }

    /** Checks that all requests succeeded. A server that answers errors is fast. */
    private static void checkRequests(Map<String, Object> result, ResultContent content) {
        @Nullable Object failed = result.get("failed");
        if (failed instanceof Double number && number > 0) {
            content.failed("%s failed".formatted(CountText.of(Math.round(number), "request")));
        } else if (failed != null && !failed.equals(0.0)) {
            content.incomplete("failed is %s, expected a number of requests".formatted(ResultJson.shown(failed)));
        }
        List<Object> errors = ResultJson.list(result.get("errors")).orElse(List.of()).stream()
                .filter(error -> error != ResultJson.Null.NULL && !error.equals(""))
                .toList();
        if (!errors.isEmpty()) {
            String first = ResultJson.text(errors.get(0)).orElse(errors.get(0).toString());
            content.failed("%s ended with an error, the first with \"%s\""
                    .formatted(CountText.of(errors.size(), "request"), lastLine(first)));
        }
        Optional<Double> prompts = ResultJson.count(result.get(PROMPTS));
        Optional<Double> completed = ResultJson.count(result.get(COMPLETED));
        if (prompts.isEmpty() || completed.isEmpty()) {
            content.incomplete("%s or %s is not a number, so the number of completed requests is unknown"
                    .formatted(PROMPTS, COMPLETED));
        } else if (!prompts.equals(completed)) {
            content.incomplete("%s of %s requests completed"
                    .formatted(ResultJson.shown(completed.get()), ResultJson.shown(prompts.get())));
        } else if (completed.get() == 0) {
            content.incomplete("no request was sent");
        } else {
            checkLists(result, prompts.get(), content);
        }
    }

    /** Checks that each list has an element for each request, and that each request has an output. An empty answer is fast, too. */
    private static void checkLists(Map<String, Object> result, double prompts, ResultContent content) {
        for (String key : OF_REQUESTS) {
            Object value = result.get(key);
            Optional<List<Object>> list = ResultJson.list(value);
            if (value != null && list.isEmpty() && value != ResultJson.Null.NULL) {
                content.incomplete("%s is %s, expected a list".formatted(key, ResultJson.shown(value)));
            } else if (list.isPresent() && list.get().size() != prompts) {
                content.incomplete("%s has %s values, but %s is %s"
                        .formatted(key, list.get().size(), PROMPTS, ResultJson.shown(prompts)));
            }
        }
        long empty = ResultJson.list(result.get("output_lens")).orElse(List.of()).stream()
                .filter(length -> ResultJson.count(length).orElse(0.0) == 0)
                .count();
        Object tokens = result.get(OUTPUT_TOKENS);
        if (empty > 0) {
            content.incomplete(
                    "%s of %s requests completed without an output token".formatted(empty, ResultJson.shown(prompts)));
        } else if (tokens != null && ResultJson.count(tokens).orElse(0.0) == 0) {
            content.incomplete("%s is %s: no request has an output".formatted(OUTPUT_TOKENS, ResultJson.shown(tokens)));
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
