package dev.neurontest.internal.output;

import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The failure of a test because of its outputs: a table of all outputs, the first different values, and advice. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OutputFailure extends Failure {

    private static final int MOST_COMPARISONS = 2;

    private final CollectedOutputs outputs;

    /** Creates a failure from a judgement of the outputs. */
    public OutputFailure(CollectedOutputs outputs, Judgement judgement) {
        super(judgement);
        this.outputs = outputs;
    }

    @Override
    public String text() {
        String table = outputs.isEmpty() ? "" : "\n" + OutputText.table(outputs);
        String comparisons = outputs.series().stream()
                .flatMap(series -> series.firstFault().stream())
                .map(OutputRecord::comparison)
                .filter(comparison -> !comparison.isEmpty())
                .limit(MOST_COMPARISONS)
                .map("\n"::concat)
                .collect(Collectors.joining());
        return "%sOutputs: %s\n%s%s%s"
                .formatted(words().headline(), words().found(), table, comparisons, words().explained());
    }
}
