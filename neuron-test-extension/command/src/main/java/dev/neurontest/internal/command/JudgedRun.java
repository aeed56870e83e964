package dev.neurontest.internal.command;

import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.compare.ComparedRun;
import dev.neurontest.internal.report.compare.RunChanges;
import dev.neurontest.internal.report.history.RunHistory;
import dev.neurontest.internal.report.show.ReportText;
import dev.neurontest.internal.terminal.TerminalStyle;
import java.util.List;
import java.util.Optional;

/**
 * A run with the decisions of its gates.
 *
 * @param report the report merged from all run files
 * @param gates empty when no gates were given
 * @param changes the changes since an earlier run, which do not affect the gates; empty without an earlier run
 * @param history the last runs, which do not affect the gates; empty without a history
 */
record JudgedRun(
        RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes, Optional<RunHistory> history) {

    JudgedRun {
        gates = List.copyOf(gates);
    }

    /** Returns the same run with its changes since an earlier run. */
    JudgedRun comparedWith(Optional<ComparedRun> earlier) {
        return new JudgedRun(report, gates, earlier.map(before -> RunChanges.of(before, report)), history);
    }

    /** Returns the same run with the last runs. */
    JudgedRun with(RunHistory last) {
        return new JudgedRun(report, gates, changes, Optional.of(last));
    }

    /** Returns the report for a console. */
    String text(TerminalStyle style) {
        return ReportText.of(report, gates, changes, style);
    }

    boolean passed() {
        return gates.stream().allMatch(GateOutcome::passed);
    }
}
