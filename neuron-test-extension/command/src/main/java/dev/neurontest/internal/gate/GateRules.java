package dev.neurontest.internal.gate;

import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.RunReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The requirements for a run to pass. A limit on the command line has priority over a limit in a gate file, which has priority over the
 * default. Immutable.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class GateRules {

    /** Usual name of a gate file. */
    public static final String FILE = "neuron-gate.properties";

    private final Map<Gate, GateLimit> limits;

    private GateRules(Map<Gate, GateLimit> limits) {
        this.limits = Collections.unmodifiableMap(limits);
    }

    /** Returns the rules with the default limits. */
    public static GateRules ofDefaults() {
        Map<Gate, GateLimit> limits = new EnumMap<>(Gate.class);
        for (Gate gate : Gate.values()) {
            limits.put(gate, gate.defaultLimit());
        }
        return new GateRules(limits);
    }

    /**
     * Returns rules with the limits of a file. Its lines are {@code key = value}, with a key such as {@code hardware.min}. Lines that begin
     * with {@code #} or {@code !} are comments.
     *
     * @param file a file in UTF-8
     * @throws GateRulesException when the file cannot be read, or has a line with an unknown key, a second value for a key or a value that
     *     cannot be parsed; the message names the line
     */
    public GateRules withFile(Path file) {
        return with(GateWords.in(file));
    }

    /**
     * Returns rules with the limits of a command line.
     *
     * @param assignments limits such as {@code hardware.min=40}
     * @throws GateRulesException when one has an unknown key, a second value for a key or a value that cannot be parsed
     */
    public GateRules withAssignments(List<String> assignments) {
        return with(GateWords.of(assignments));
    }

    private GateRules with(Map<Gate, GateLimit> nearer) {
        Map<Gate, GateLimit> limits = new EnumMap<>(this.limits);
        limits.putAll(nearer);
        return new GateRules(limits);
    }

    /**
     * Decides about a run. Regardless of the limits, the run does not pass if no test ran, or if a part of it could not be read.
     *
     * @param report the report of the whole run
     * @return one outcome for each gate with a limit; the run may pass if all of them have passed
     */
    public List<GateOutcome> decide(RunReport report) {
        RunFindings findings = new RunFindings(report);
        List<GateOutcome> outcomes = new ArrayList<>(List.of(findings.ran(), findings.complete()));
        limits.forEach((gate, limit) -> limit.value()
                .ifPresent(value -> outcomes.add(outcome(gate, limit, findings.measured(gate), findings.words(gate)))));
        return List.copyOf(outcomes);
    }

    GateLimit limit(Gate gate) {
        return limits.get(gate);
    }

    /** Returns the outcome of a gate with a limit, for a measured value. */
    static GateOutcome outcome(Gate gate, GateLimit limit, long measured, String actual) {
        long value = limit.value().orElseThrow();
        boolean passed = gate.lets(measured, value);
        String origin = " (%s = %s, %s)".formatted(gate.key(), limit.text(), limit.source());
        return new GateOutcome(gate.key(), passed, gate.expected(value), actual, gate.advice() + origin);
    }
}
