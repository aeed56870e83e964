package dev.neurontest.internal.report.history;

import dev.neurontest.metric.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Records of runs, one for each day. */
public final class HistoryFixture {

    private static final Instant FIRST = Instant.parse("2026-11-19T02:10:00Z");

    private HistoryFixture() {}

    /** Returns the run of a day, beginning with 0. */
    static RunRecord run(int day, String... flaky) {
        return new RunRecord(
                RunRecord.VERSION,
                RunRecord.KIND,
                "night " + day,
                FIRST.plus(day, ChronoUnit.DAYS),
                Duration.ofMinutes(40 + day),
                20,
                day == 1 ? 2 : 0,
                List.of(flaky),
                List.of(new RunRecord.Value(
                        "com.acme.BertTest#infers() total_time", (15 + day) / 1000.0, Unit.SECONDS)));
    }

    /** Returns three runs, and a file that could not be read. */
    public static RunHistory history() {
        return new RunHistory(
                List.of(run(0, "BertTest > retries()"), run(1), run(2, "BertTest > retries()")),
                List.of("neuron-run-x.json was left out: it is empty, expected a JSON object"));
    }
}
