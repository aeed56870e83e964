package dev.neurontest.counter.rule;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterText;
import dev.neurontest.recording.Failure;
import dev.neurontest.recording.Judgement;
import dev.neurontest.text.TextTable;
import java.util.Optional;
import org.apiguardian.api.API;

/** Why a test fails because of its counters: everything that was found, in one message with one table. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CounterFailure extends Failure {

    private final CounterDiff diff;

    private CounterFailure(Judgement judgement, CounterDiff diff) {
        super(judgement);
        this.diff = diff;
    }

    /**
     * Puts into words what was judged.
     *
     * @param judgement what the rules found; what is undecided is told beside what is violated
     * @param diff what they judged
     * @return the failure
     */
    public static CounterFailure of(Judgement judgement, CounterDiff diff) {
        return new CounterFailure(judgement, diff);
    }

    /**
     * Judges and puts into words.
     *
     * @param rules what is demanded
     * @param diff what was seen
     * @return what was found, which may be nothing
     */
    public static CounterFailure judged(CounterRules rules, CounterDiff diff) {
        return of(rules.judge(diff), diff);
    }

    @Override
    public String text() {
        return "Neuron counters of %s on %s: %s\n\n%s%s"
                .formatted(diff.where(), diff.scope().tree().name(), words().found(), table(), words().explained());
    }

    private String table() {
        TextTable table = new TextTable("counter", ">before", ">after", ">delta", "rule", "path");
        judgement().violations().forEach(each -> row(table, each.subject(), each.rule()));
        judgement().undecided().forEach(each -> row(table, each.subject(), each.rule() + " (undecided)"));
        return table.toString();
    }

    private void row(TextTable table, String subject, String rule) {
        Optional<CounterChange> change = diff.find(subject);
        table.row(
                subject,
                change.map(CounterText::before).orElse(""),
                change.map(CounterText::after).orElse(""),
                change.map(CounterText::delta).orElse(""),
                rule,
                change.map(CounterFailure::path).orElse(""));
    }

    private static String path(CounterChange change) {
        int more = change.locations().size() - 1;
        return change.locations().get(0) + (more == 0 ? "" : " and " + more + " more");
    }
}
