package dev.neurontest;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonJson;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.configuration.Settings;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.gate.Gate;
import dev.neurontest.gate.GateRules;
import dev.neurontest.gate.GateText;
import dev.neurontest.gate.RunningGate;
import dev.neurontest.report.GateOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.opentest4j.AssertionFailedError;

/**
 * The gates that one JVM can know to be exceeded, whatever else the run brings: the class at whose end that is so fails. What takes the
 * whole run is decided on the merged run files.
 */
final class SessionGate implements Consumer<RunEvent> {

    private final RunningGate gate;
    private final List<GateOutcome> exceeded = new ArrayList<>();

    SessionGate(Settings settings) {
        GateRules rules = GateRules.of(settings);
        Path file = Path.of(GateRules.FILE);
        gate = new RunningGate(Files.exists(file) ? rules.withFile(file) : rules);
    }

    @Override
    public void accept(RunEvent event) {
        if (event instanceof RunEvent.TestFinished finished) {
            switch (finished.outcome()) {
                case FAILED -> add(Gate.FAILED, 1);
                case ABORTED, SKIPPED -> add(Gate.SKIPPED, 1);
                case PASSED, UNDECIDED -> {
                    // Its demands were counted.
                }
            }
        } else if (event instanceof RunEvent.LeftUndecided left) {
            if (!Comparison.isRule(left.undecided().rule())) {
                add(Gate.UNDECIDED, 1);
            }
        } else if (event instanceof RunEvent.Quarantined quarantined) {
            add(Gate.QUARANTINED, quarantined.cores().size());
        } else if (event instanceof RunEvent.Leased leased) {
            keep(gate.waited(leased.waited()));
        } else if (event instanceof RunEvent.WaitedInVain inVain) {
            keep(gate.waited(inVain.waited()));
        } else if (event instanceof RunEvent.Compared compared) {
            add(ComparisonJson.read(compared.comparison().text()));
        }
    }

    private void add(Comparison comparison) {
        if (comparison.outcome() == ComparisonOutcome.WORSE) {
            add(Gate.REGRESSIONS, 1);
        } else if (comparison.outcome() == ComparisonOutcome.NO_BASELINE) {
            add(Gate.WITHOUT_BASELINE, 1);
        } else if (comparison.outcome() == ComparisonOutcome.UNDECIDED
                || comparison.outcome() == ComparisonOutcome.CONTAMINATED) {
            add(Gate.UNDECIDED_COMPARISONS, 1);
        }
    }

    private void add(Gate counted, long more) {
        keep(gate.add(counted, more));
    }

    private synchronized void keep(Optional<GateOutcome> outcome) {
        outcome.ifPresent(exceeded::add);
    }

    /**
     * Fails a class for what was exceeded since the last one.
     *
     * @throws AssertionFailedError with the gates, their limits and what to do
     */
    synchronized void check() {
        if (!exceeded.isEmpty()) {
            List<GateOutcome> since = List.copyOf(exceeded);
            exceeded.clear();
            throw new AssertionFailedError(
                    "The run can no longer pass, whatever the tests to come bring.\n" + new GateText(since));
        }
    }
}
