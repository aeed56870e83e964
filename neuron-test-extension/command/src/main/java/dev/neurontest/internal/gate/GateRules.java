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
 * What a run has to be like to pass. A limit is taken from where it was written nearest to the decision: the command line, else
 * a file of gates, else the default. Immutable.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class GateRules {

    /** How a file of gates is usually called. */
    public static final String FILE = "neuron-gate.properties";

    private final Map<Gate, GateLimit> limits;

    private GateRules(Map<Gate, GateLimit> limits) {
        this.limits = Collections.unmodifiableMap(limits);
    }

    /**
     * Returns the default limits.
     *
     * @return the rules
     */
    public static GateRules ofDefaults() {
        Map<Gate, GateLimit> limits = new EnumMap<>(Gate.class);
        for (Gate gate : Gate.values()) {
            limits.put(gate, gate.defaultLimit());
        }
        return new GateRules(limits);
    }

    /**
     * The same with what a file says. Its lines are {@code key = value}; keys are such as {@code hardware.min}; lines that begin with {@code #} or {@code !} say nothing.
     *
     * @param file in UTF-8
     * @return new rules
     * @throws GateRulesException when the file cannot be read, or has a line with an unknown key, a second value for a key or a
     *     value that cannot be understood; the message names the line
     */
    public GateRules withFile(Path file) {
        return with(GateWords.in(file));
    }

    /**
     * The same with what a command line says.
     *
     * @param assignments such as {@code hardware.min=40}
     * @return new rules
     * @throws GateRulesException when one has an unknown key, a second value for a key or a value that cannot be understood
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
     * Decides over a run. Whatever the limits: where no test ran, or something of the run could not be read, it does not pass.
     *
     * @param report of the whole run
     * @return one outcome for each gate that limits anything; the run may pass when all have
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

    /** Says how a limit that is one relates to what was measured. */
    static GateOutcome outcome(Gate gate, GateLimit limit, long measured, String actual) {
        long value = limit.value().orElseThrow();
        boolean passed = gate.lets(measured, value);
        String origin = " (%s = %s, %s)".formatted(gate.key(), limit.text(), limit.source());
        return new GateOutcome(gate.key(), passed, gate.expected(value), actual, gate.advice() + origin);
    }
}
