package dev.neurontest.internal.report;

import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A core that was excluded from tests until a check found it healthy.
 *
 * @param host host of the core
 * @param core name of the core
 * @param test test that had the core
 * @param reason a phrase
 * @param suspect true if there was only a suspicion without proof
 * @param at beginning of the quarantine
 * @param ended the evidence that the core is healthy; empty when there is none
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ReportedQuarantine(
        String host, String core, String test, String reason, boolean suspect, Instant at, Optional<String> ended) {

    /**
     * Checks whether the quarantine counts against the run.
     *
     * @return false for a core that was only suspect and was released
     */
    public boolean counts() {
        return !suspect || ended.isEmpty();
    }

    /** Returns the state of the core: {@code suspect} or {@code in quarantine}. */
    public String state() {
        return suspect ? "suspect" : "in quarantine";
    }

    /**
     * Returns a copy with later information.
     *
     * @param reason a phrase
     * @param ended the evidence that the core is healthy
     */
    public ReportedQuarantine with(String reason, Optional<String> ended) {
        return new ReportedQuarantine(host, core, test, reason, suspect, at, ended);
    }

    /** Returns a copy with another name of the test. */
    public ReportedQuarantine ofTest(String name) {
        return new ReportedQuarantine(host, core, name, reason, suspect, at, ended);
    }

    /**
     * Returns a sentence, such as
     * {@code neuron0/neuron_core1 of host after BertTest > t(): hw_error rose by 3; over: a check found it well}.
     */
    @Override
    public String toString() {
        return "%s of %s after %s: %s%s".formatted(core, host, test, reason, over());
    }

    /** Returns the end of the quarantine as the end of a sentence; empty when it did not end. */
    public String over() {
        return ended.map(how -> "; over: " + how).orElse("");
    }
}
