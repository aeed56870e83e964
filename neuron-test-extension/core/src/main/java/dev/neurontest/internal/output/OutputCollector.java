package dev.neurontest.internal.output;

import dev.neurontest.internal.text.CountText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Collects the outputs of one test and judges each as it arrives, so that no values are kept. Without an expectation it takes only outputs
 * that are read anyway or are small.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OutputCollector {

    /** A collector that takes nothing. */
    public static final OutputCollector NONE = new OutputCollector(OutputExpectations.read(List.of()), false);

    /** Maximum size in bytes of an output that is examined without an expectation, which takes about a second. */
    private static final long MOST_UNASKED = 64L << 20;

    private static final long LARGEST = Integer.MAX_VALUE - 8;

    private final OutputExpectations expectations;
    private final boolean collects;
    private final Map<List<String>, ExecutedModel> executed = new LinkedHashMap<>();
    private final Map<List<String>, OutputSeries> series = new LinkedHashMap<>();
    private final Map<List<String>, OutputRecord> byInputs = new HashMap<>();

    /** Creates a collector for a test. */
    public OutputCollector(OutputExpectations expectations) {
        this(expectations, true);
    }

    private OutputCollector(OutputExpectations expectations, boolean collects) {
        this.expectations = expectations;
        this.collects = collects;
    }

    /** Returns whether executions fill their outputs and report here. */
    public boolean isCollecting() {
        return collects;
    }

    /** Returns whether the outputs of each single execution are filled before it and read after it. */
    public boolean fillsEach() {
        return !expectations.isEmpty();
    }

    /** Returns whether executions with the same inputs are compared. */
    public boolean comparesExecutions() {
        return expectations.all().stream().anyMatch(OutputExpectation::same);
    }

    /**
     * Counts an execution.
     *
     * @param failure its status; empty if it completed
     * @return its number among those of the model on the core, from 1; 0 if it did not complete
     */
    public synchronized long executed(String model, String core, Collection<String> outputs, String failure) {
        if (!collects) {
            return 0;
        }
        List<String> place = List.of(model, core);
        ExecutedModel known = executed.get(place);
        ExecutedModel counted =
                (known == null ? new ExecutedModel(model, core, 0, 0, "", List.of()) : known).next(failure, outputs);
        executed.put(place, counted);
        return failure.isEmpty() ? counted.executions() : 0;
    }

    /**
     * Returns whether it takes an output. One that is too large is recorded as not examined.
     *
     * @param bytes size of the output
     */
    public synchronized boolean takes(OutputOrigin origin, long bytes) {
        boolean isExpected = expectations.of(origin.output()).isPresent();
        if (!isExpected && bytes > MOST_UNASKED) {
            notRead(
                    origin,
                    "its %s are examined only for a test with @ExpectOutput".formatted(CountText.of(bytes, "byte")));
            return false;
        }
        if (bytes > LARGEST) {
            notRead(origin, "its %s are more than an array holds".formatted(CountText.of(bytes, "byte")));
            return false;
        }
        return true;
    }

    /** Examines an output. */
    public synchronized void add(OutputTensor output) {
        OutputSeries before = series(output.origin());
        List<String> sameInputs =
                List.of(output.origin().model(), output.origin().output(), output.inputs());
        Optional<OutputRecord> twin = Optional.of(output.inputs())
                .filter(inputs -> !inputs.isEmpty())
                .flatMap(inputs -> Optional.ofNullable(byInputs.get(sameInputs)));
        OutputRecord examined = OutputCheck.of(output, expectations, before.last(), twin);
        byInputs.putIfAbsent(sameInputs, examined);
        twin.ifPresent(
                first -> series.computeIfPresent(key(first.origin()), (place, ofFirst) -> ofFirst.withComparison()));
        series.put(key(output.origin()), before.next(examined, twin.isPresent()));
    }

    /**
     * Records that the expected outputs of an execution could not be examined.
     *
     * @param place the core or rank
     */
    public synchronized void noneRead(String model, String place, long execution, String reason) {
        expectations
                .all()
                .forEach(each -> notRead(new OutputOrigin(model, place, execution, each.output(), true), reason));
    }

    /** Records that an output could not be examined. */
    public synchronized void notRead(OutputOrigin origin, String reason) {
        series.put(key(origin), series(origin).notRead(origin, reason));
    }

    private OutputSeries series(OutputOrigin origin) {
        OutputSeries known = series.get(key(origin));
        return known == null ? OutputSeries.of(origin, expectations.of(origin.output())) : known;
    }

    private static List<String> key(OutputOrigin origin) {
        return List.of(origin.model(), origin.core(), origin.output());
    }

    /** Returns all outputs so far. */
    public synchronized CollectedOutputs collected() {
        return new CollectedOutputs(new ArrayList<>(executed.values()), new ArrayList<>(series.values()));
    }
}
