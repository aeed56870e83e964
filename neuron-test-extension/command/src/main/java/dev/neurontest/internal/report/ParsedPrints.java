package dev.neurontest.internal.report;

import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.text.CountText;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A measurement of kind {@code prints}, with the parts that a report shows.
 *
 * @param prints prints in the order of their arrival
 * @param mismatches prints that were compared with expected values
 * @param doubts reasons for missing or wrong prints
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ParsedPrints(List<Print> prints, List<Mismatch> mismatches, List<ParsedDoubt> doubts) {

    /** Kind of the parsed measurements. */
    public static final String KIND = Measurement.PRINTS;

    /** Maximum number of shown prints, the last of a device. */
    private static final int MOST = 8;

    /**
     * Parses a measurement. Missing members are empty.
     *
     * @param recording measurement of kind {@link #KIND}
     */
    public static ParsedPrints of(JsonObject recording) {
        return RecordReader.LENIENT.read(recording, ParsedPrints.class);
    }

    /** Returns the last prints, at most eight. */
    public List<Print> last() {
        return prints.subList(Math.max(0, prints.size() - MOST), prints.size());
    }

    /** Returns the caption of the last prints, with the number of all prints. */
    public String caption() {
        return "Printed by kernels"
                + (prints.size() <= MOST ? "" : ": the last %s of %s".formatted(MOST, CountText.of(prints.size())));
    }

    /** Checks whether programs on several hosts printed, so that the core says more than its number. */
    public boolean isOfCluster() {
        return prints.stream().anyMatch(print -> print.rank().isPresent());
    }

    /** Returns a sentence for each print that differs from the expected values. */
    public List<String> differences() {
        return mismatches.stream()
                .filter(each -> each.mismatches > 0)
                .map(each -> "%s, print %s: %s".formatted(each.prefix, each.order, each.found))
                .toList();
    }

    /**
     * A compared print.
     *
     * @param order position of the print
     * @param prefix words before the print
     * @param found description of the difference, in a sentence
     * @param mismatches number of different elements
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Mismatch(long order, String prefix, String found, long mismatches) {}

    /**
     * One tensor that a device printed.
     *
     * @param arrived an instant in UTC
     * @param core core of the print
     * @param prefix words before the print
     * @param dtype type of the elements
     * @param shape shape of the tensor
     * @param notDecoded reason why the tensor was not decoded; empty when it was
     * @param values values of the elements
     * @param rank rank of the program in a test over several hosts
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Print(
            String arrived,
            String core,
            String prefix,
            String dtype,
            List<Long> shape,
            String notDecoded,
            Optional<Values> values,
            Optional<Integer> rank) {

        /**
         * Returns the time of the arrival.
         *
         * @return the part between the T and the Z of the instant, down to milliseconds
         */
        public String clock() {
            String clock = arrived.substring(arrived.indexOf('T') + 1).replace("Z", "");
            return clock.substring(0, Math.min(clock.length(), "00:00:00.000".length()));
        }

        /** Returns the type of the elements with the shape, such as {@code bfloat16 [128, 512]}, or {@code ?} for an unknown length. */
        public String type() {
            return dtype + " " + shape.toString().replace("-1", "?");
        }

        /**
         * Returns the values in words.
         *
         * @return the least and the greatest value and the number of non-finite values; or the reason why the tensor was not decoded
         */
        public String range() {
            return notDecoded.isEmpty() ? values.map(Values::range).orElse("") : notDecoded;
        }
    }

    /**
     * The values of a tensor.
     *
     * @param least least finite value; empty without one
     * @param most greatest finite value; empty without one
     * @param nan number of NaN values
     * @param infinite number of infinite values
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Values(Optional<Double> least, Optional<Double> most, long nan, long infinite) {

        private String range() {
            String finite = least.isPresent() && most.isPresent()
                    ? "%s to %s".formatted(least.get(), most.get())
                    : "no finite value";
            return finite + odd(nan, "NaN") + odd(infinite, "infinite");
        }

        private static String odd(long count, String what) {
            return count > 0 ? ", " + CountText.of(count) + " " + what : "";
        }
    }
}
