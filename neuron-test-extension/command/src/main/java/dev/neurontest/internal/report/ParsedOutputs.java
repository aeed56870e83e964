package dev.neurontest.internal.report;

import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.text.CountText;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A measurement of kind {@code outputs}, with the parts that a report shows.
 *
 * @param outputs outputs, each on each core
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ParsedOutputs(List<Output> outputs) {

    /** Kind of the parsed measurements. */
    public static final String KIND = Measurement.OUTPUTS;

    /** Maximum number of shown outputs. */
    private static final int MOST = 16;

    /**
     * Parses a measurement. Missing members are empty.
     *
     * @param recording measurement of kind {@link #KIND}
     */
    public static ParsedOutputs of(JsonObject recording) {
        return RecordReader.LENIENT.read(recording, ParsedOutputs.class);
    }

    /** Returns the first outputs. */
    public List<Output> shown() {
        return outputs.subList(0, Math.min(MOST, outputs.size()));
    }

    /** Returns the caption of the outputs, with the number of all of them. */
    public String caption() {
        return "Outputs"
                + (outputs.size() <= MOST ? "" : ": the first %s of %s".formatted(MOST, CountText.of(outputs.size())));
    }

    /**
     * One output of a model on a core.
     *
     * @param output name of the output
     * @param core core of the execution
     * @param execution number of the examined execution; empty if none was examined
     * @param dtype type of the elements
     * @param shape shape of the output
     * @param least least finite value; empty without one
     * @param most greatest finite value; empty without one
     * @param nan number of NaN values
     * @param infinite number of infinite values
     * @param unwritten number of elements that no execution wrote
     * @param found faults in words; empty for a sound output
     * @param notExamined reason why it was not examined; empty if it was
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Output(
            String output,
            String core,
            Optional<Long> execution,
            String dtype,
            List<Long> shape,
            Optional<Double> least,
            Optional<Double> most,
            long nan,
            long infinite,
            long unwritten,
            String found,
            String notExamined) {

        /** Returns the type of the elements with the shape, such as {@code bfloat16 [128, 512]}. */
        public String type() {
            return execution.isEmpty() ? "" : dtype + " " + shape;
        }

        /** Returns the number of the execution. */
        public String number() {
            return execution.map(CountText::of).orElse("");
        }

        /** Returns the least and the greatest value in words; empty if some elements hold no values of the model. */
        public String range() {
            if (execution.isEmpty() || unwritten > 0) {
                return "";
            }
            return least.isPresent() && most.isPresent()
                    ? "%s to %s".formatted(least.get(), most.get())
                    : "no finite value";
        }

        /** Returns the faults, or the reason why it was not examined. */
        public String verdict() {
            return execution.isEmpty() ? "not examined: " + notExamined : found;
        }
    }
}
