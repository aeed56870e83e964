package dev.neurontest.gate;

import dev.neurontest.report.GateOutcome;
import dev.neurontest.text.TextTable;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What gates decided, for a person: one line when the run may pass; else each gate that does not let it, with what to do, below the
 * list of all.
 *
 * @param outcomes of all gates
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record GateText(List<GateOutcome> outcomes) {

    /**
     * Keeps its own copy.
     *
     * @param outcomes of all gates
     */
    public GateText {
        outcomes = List.copyOf(outcomes);
    }

    /**
     * Whether the run may pass.
     *
     * @return false when a gate does not let it
     */
    public boolean passed() {
        return outcomes.stream().allMatch(GateOutcome::passed);
    }

    /**
     * What was decided.
     *
     * @return lines, the last one ended too
     */
    @Override
    public String toString() {
        List<GateOutcome> failed =
                outcomes.stream().filter(outcome -> !outcome.passed()).toList();
        if (failed.isEmpty()) {
            return "Gate: passed (%s)\n"
                    .formatted(String.join(
                            ", ", outcomes.stream().map(GateOutcome::gate).toList()));
        }
        StringBuilder text =
                new StringBuilder("Gate: FAILED by %s of %s\n\n".formatted(failed.size(), outcomes.size()));
        TextTable table = new TextTable("  gate", "", "wanted");
        outcomes.forEach(outcome ->
                table.row("  " + outcome.gate(), outcome.passed() ? "passed" : "FAILED", outcome.expected()));
        text.append(table);
        failed.forEach(outcome -> text.append("\n%s\n  wanted %s\n  was %s\n  %s\n"
                .formatted(outcome.gate(), outcome.expected(), outcome.actual(), outcome.advice())));
        return text.toString();
    }
}
