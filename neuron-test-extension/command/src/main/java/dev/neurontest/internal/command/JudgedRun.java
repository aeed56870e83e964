package dev.neurontest.internal.command;

import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.compare.ComparedRun;
import dev.neurontest.internal.report.compare.RunChanges;
import dev.neurontest.internal.report.show.ReportText;
import dev.neurontest.internal.terminal.TerminalLook;
import java.util.List;
import java.util.Optional;

/**
 * A run and what gates decided about it.
 *
 * @param report merged from all its run files
 * @param gates none when no gates were given
 * @param changes since an earlier run, about which nothing is decided; empty where none was named
 */
record JudgedRun(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes) {

    JudgedRun {
        gates = List.copyOf(gates);
    }

    /** The same beside an earlier run. */
    JudgedRun comparedWith(Optional<ComparedRun> earlier) {
        return new JudgedRun(report, gates, earlier.map(before -> RunChanges.of(before, report)));
    }

    /** The report for a console. */
    String text(TerminalLook look) {
        return ReportText.of(report, gates, changes, look);
    }

    boolean passed() {
        return gates.stream().allMatch(GateOutcome::passed);
    }
}
