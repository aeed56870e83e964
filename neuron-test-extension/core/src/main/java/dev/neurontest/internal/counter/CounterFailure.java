package dev.neurontest.internal.counter;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.JudgementText;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.text.TextTable;
import java.util.Optional;
import org.apiguardian.api.API;

/** The failure of a test because of its counters, with all findings in one message and one table. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CounterFailure extends Failure {

    private static final String ATTACHED =
            "\nAll changed counters are in the attached neuron-%1$s.txt, and in neuron-%1$s.json with paths.\n";

    private final CounterDiff diff;
    private final boolean attached;
    private final Optional<String> host;

    private CounterFailure(Judgement judgement, CounterDiff diff, boolean attached, Optional<String> host) {
        super(judgement);
        this.diff = diff;
        this.attached = attached;
        this.host = host;
    }

    /**
     * Creates the failure message for a judgement.
     *
     * @param judgement the findings; undecided results are reported next to violations
     * @param diff the judged difference
     */
    public static CounterFailure of(Judgement judgement, CounterDiff diff) {
        return new CounterFailure(judgement, diff, false, Optional.empty());
    }

    /**
     * Judges a difference and creates the failure message.
     *
     * @return the findings, possibly none
     */
    public static CounterFailure judged(CounterExpectations rules, CounterDiff diff) {
        return of(rules.judge(diff), diff);
    }

    /** Returns the same failure with a reference to the attachments of the test. */
    public CounterFailure withAttachment() {
        return new CounterFailure(judgement(), diff, true, host);
    }

    /** Returns the same failure with a headline that names a host of a cluster. */
    public CounterFailure on(String hostOfCluster) {
        return new CounterFailure(judgement(), diff, attached, Optional.of(hostOfCluster));
    }

    @Override
    public String text() {
        return "%sNeuron counters of %s on %s: %s\n\n%s%s%s"
                .formatted(
                        host.map(name -> new JudgementText(judgement().on(name)))
                                .orElse(words())
                                .headline(),
                        diff.where(),
                        diff.scope().tree().name(),
                        words().found(),
                        table(),
                        words().explained(),
                        attached && !diff.moved().isEmpty() ? ATTACHED.formatted(Measurement.COUNTERS) : "");
    }

    private String table() {
        TextTable table = new TextTable("counter", ">before", ">after", ">delta", "rule");
        judgement().violations().forEach(each -> row(table, each.subject(), each.rule()));
        judgement().undecided().forEach(each -> row(table, each.subject(), each.rule() + " (undecided)"));
        return table.within(TextTable.MESSAGE).toString();
    }

    private void row(TextTable table, String subject, String rule) {
        Optional<CounterChange> change = diff.find(subject);
        table.row(
                subject,
                change.map(CounterText::before).orElse(""),
                change.map(CounterText::after).orElse(""),
                change.map(CounterText::delta).orElse(""),
                rule);
    }
}
