package dev.neurontest.gate;

import dev.neurontest.report.GateOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What one JVM can know of gates while it runs: which limits that somebody set are exceeded already, whatever else happens. Defaults
 * are left to the decision over the whole run, and so is everything that wants enough of something. May be used by several threads.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RunningGate {

    private final GateRules rules;
    private final Map<Gate, Long> counts = new EnumMap<>(Gate.class);

    /**
     * Has counted nothing.
     *
     * @param rules with the limits
     */
    public RunningGate(GateRules rules) {
        this.rules = rules;
    }

    /**
     * Counts.
     *
     * @param gate of what
     * @param more how many more there are; for {@link Gate#WAITING} nanoseconds
     * @return the outcome, when this is what exceeds the limit; empty before and after
     */
    public synchronized Optional<GateOutcome> add(Gate gate, long more) {
        boolean before = isExceeded(gate);
        counts.merge(gate, more, Math::addExact);
        return !before && isExceeded(gate) ? Optional.of(outcome(gate)) : Optional.empty();
    }

    /**
     * Counts time that a test waited for cores.
     *
     * @param time how long
     * @return the outcome, when this is what exceeds the limit; empty before and after
     */
    public Optional<GateOutcome> waited(Duration time) {
        return add(Gate.WAITING, time.toNanos());
    }

    /**
     * What is exceeded by now.
     *
     * @return one outcome for each gate, none of which passed
     */
    public synchronized List<GateOutcome> exceeded() {
        List<GateOutcome> outcomes = new ArrayList<>();
        for (Gate gate : Gate.values()) {
            if (isExceeded(gate)) {
                outcomes.add(outcome(gate));
            }
        }
        return outcomes;
    }

    private boolean isExceeded(Gate gate) {
        GateLimit limit = rules.limit(gate);
        return gate != Gate.HARDWARE
                && limit.given()
                && limit.value().isPresent()
                && !gate.lets(count(gate), limit.value().getAsLong());
    }

    private GateOutcome outcome(Gate gate) {
        return GateRules.outcome(gate, rules.limit(gate), count(gate), gate.count(count(gate)) + " in this JVM so far");
    }

    private long count(Gate gate) {
        return counts.getOrDefault(gate, 0L);
    }
}
