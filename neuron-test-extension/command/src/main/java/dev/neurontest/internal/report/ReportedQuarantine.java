package dev.neurontest.internal.report;

import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A core that was kept from the tests until it was known to be well.
 *
 * @param host where it is
 * @param core by name
 * @param test who had it
 * @param reason a phrase
 * @param suspect whether nothing was proved against it
 * @param at since when
 * @param ended how it was found to be well; empty when it was not
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ReportedQuarantine(
        String host, String core, String test, String reason, boolean suspect, Instant at, Optional<String> ended) {

    /**
     * Whether it counts against the run.
     *
     * @return false for a core that was only suspect and came back
     */
    public boolean counts() {
        return !suspect || ended.isEmpty();
    }

    /**
     * The state of the core.
     *
     * @return {@code suspect} or {@code in quarantine}
     */
    public String state() {
        return suspect ? "suspect" : "in quarantine";
    }

    /**
     * Makes the same one with what became known later.
     *
     * @param reason a phrase
     * @param ended how it was found to be well
     * @return a copy
     */
    public ReportedQuarantine with(String reason, Optional<String> ended) {
        return new ReportedQuarantine(host, core, test, reason, suspect, at, ended);
    }

    /**
     * Returns what happened, in a sentence.
     *
     * @return such as {@code neuron0/neuron_core1 of host after BertTest > t(): hw_error rose by 3; over: a check found it well}
     */
    @Override
    public String toString() {
        return "%s of %s after %s: %s%s".formatted(core, host, test, reason, over());
    }

    /**
     * How it ended.
     *
     * @return the end of a sentence; empty when it did not
     */
    public String over() {
        return ended.map(how -> "; over: " + how).orElse("");
    }
}
