package dev.neurontest.internal.report;

import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A recording of kind {@code prints} as far as a report shows it.
 *
 * @param prints in the order in which they arrived
 * @param mismatches prints that were compared with what was expected
 * @param doubts reasons why prints may be missing or wrong
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ParsedPrints(List<Print> prints, List<Mismatch> mismatches, List<ParsedDoubt> doubts) {

    /** The kind of the recordings that can be read. */
    public static final String KIND = "prints";

    /** What a report shows of the last words of a device. */
    private static final int MOST = 8;

    /**
     * Reads a recording. What it lacks is empty.
     *
     * @param recording of kind {@link #KIND}
     * @return its content
     */
    public static ParsedPrints of(JsonObject recording) {
        return RecordReader.LENIENT.read(recording, ParsedPrints.class);
    }

    /**
     * Returns what was printed just before the end.
     *
     * @return at most eight prints
     */
    public List<Print> last() {
        return prints.subList(Math.max(0, prints.size() - MOST), prints.size());
    }

    /**
     * Returns the caption of the last prints.
     *
     * @return with the number of all prints
     */
    public String caption() {
        return "Printed by the device"
                + (prints.size() <= MOST ? "" : ": the last %s of %s".formatted(MOST, prints.size()));
    }

    /**
     * Returns what differs from what was expected.
     *
     * @return a sentence each
     */
    public List<String> differences() {
        return mismatches.stream()
                .filter(each -> each.mismatches > 0)
                .map(each -> "%s, print %s: %s".formatted(each.prefix, each.order, each.found))
                .toList();
    }

    /**
     * A print that was compared.
     *
     * @param order of the print
     * @param prefix the words before it
     * @param found what differs, in a sentence
     * @param mismatches the number of elements that differ
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Mismatch(long order, String prefix, String found, long mismatches) {}

    /**
     * One tensor that a device printed.
     *
     * @param arrived an instant in UTC
     * @param core that printed it
     * @param prefix the words before it
     * @param dtype the type of its elements
     * @param shape of the tensor
     * @param notDecoded the reason why it was not decoded; empty where it was
     * @param values of its elements
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Print(
            String arrived,
            String core,
            String prefix,
            String dtype,
            List<Long> shape,
            String notDecoded,
            Optional<Values> values) {

        /**
         * Returns when it arrived.
         *
         * @return what is between the T and the Z of the instant, down to milliseconds
         */
        public String clock() {
            String clock = arrived.substring(arrived.indexOf('T') + 1).replace("Z", "");
            return clock.substring(0, Math.min(clock.length(), "00:00:00.000".length()));
        }

        /**
         * Returns the type of its elements with its shape.
         *
         * @return such as {@code bfloat16 [128, 512]}
         */
        public String type() {
            return dtype + " " + shape;
        }

        /**
         * Returns its values in words.
         *
         * @return the least and the greatest, and how many are no finite number; else why it was not decoded
         */
        public String range() {
            return notDecoded.isEmpty() ? values.map(Values::range).orElse("") : notDecoded;
        }
    }

    /**
     * The values of a tensor.
     *
     * @param least of the finite ones
     * @param most of the finite ones
     * @param nan how many are no number
     * @param infinite how many are infinite
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Values(double least, double most, long nan, long infinite) {

        private String range() {
            return "%s to %s%s%s".formatted(least, most, odd(nan, "NaN"), odd(infinite, "infinite"));
        }

        private static String odd(long count, String what) {
            return count > 0 ? ", " + count + " " + what : "";
        }
    }
}
