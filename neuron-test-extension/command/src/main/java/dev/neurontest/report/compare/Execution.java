package dev.neurontest.report.compare;

import dev.neurontest.evidence.TestId;
import dev.neurontest.report.TestOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One execution of a test, as far as two runs are compared.
 *
 * @param jvm which JVM of its run ran it, counted from 0
 * @param id which test
 * @param isTest false for a class that leases for its tests
 * @param outcome how it ended
 * @param started when
 * @param took without its wait for cores
 * @param retries how often it was run again on another core
 * @param values what it measured
 * @param inDoubt whether some of its profile has no number that can be believed
 */
record Execution(
        int jvm,
        TestId id,
        boolean isTest,
        TestOutcome outcome,
        Instant started,
        Duration took,
        int retries,
        List<MeasuredValue> values,
        boolean inDoubt) {}
