package dev.neurontest.command;

import dev.neurontest.gate.GateText;
import dev.neurontest.report.GateOutcome;
import dev.neurontest.report.RunReport;
import java.util.List;

/**
 * A run and what gates decided about it.
 *
 * @param report merged from all its run files
 * @param gates none when no gates were given
 */
record JudgedRun(RunReport report, List<GateOutcome> gates) {

    JudgedRun {
        gates = List.copyOf(gates);
    }

    boolean passed() {
        return new GateText(gates).passed();
    }
}
