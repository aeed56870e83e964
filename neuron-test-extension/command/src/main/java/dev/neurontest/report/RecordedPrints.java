package dev.neurontest.report;

import dev.neurontest.json.JsonObject;
import dev.neurontest.json.JsonValue;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What a recording of kind {@code prints} says, as far as a report shows it.
 *
 * @param prints in the order in which they arrived
 * @param mismatches what differs from what was expected, each in a sentence
 * @param doubts why prints may be missing or wrong
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RecordedPrints(List<Print> prints, List<String> mismatches, List<String> doubts) {

    /** Of the recordings that can be read. */
    public static final String KIND = "prints";

    /** What a report shows of the last words of a device. */
    private static final int MOST = 8;

    /**
     * Reads a recording. What it does not say is empty.
     *
     * @param recording of kind {@link #KIND}
     * @return what it says
     */
    public static RecordedPrints of(JsonObject recording) {
        JsonValue members = JsonValue.of(recording);
        return new RecordedPrints(
                members.each("prints").stream().map(Print::of).toList(),
                members.each("mismatches").stream()
                        .filter(each -> each.number("mismatches")
                                .filter(n -> n.signum() > 0)
                                .isPresent())
                        .map(each -> "%s, print %s: %s"
                                .formatted(each.text("prefix"), each.text("order"), each.text("found")))
                        .toList(),
                members.each("doubts").stream().map(each -> each.text("reason")).toList());
    }

    /**
     * Keeps its own copies.
     *
     * @param prints in the order in which they arrived
     * @param mismatches what differs from what was expected
     * @param doubts why prints may be missing or wrong
     */
    public RecordedPrints {
        prints = List.copyOf(prints);
        mismatches = List.copyOf(mismatches);
        doubts = List.copyOf(doubts);
    }

    /**
     * What was printed just before the end.
     *
     * @return at most eight prints
     */
    public List<Print> last() {
        return prints.subList(Math.max(0, prints.size() - MOST), prints.size());
    }

    /**
     * What stands above the last prints.
     *
     * @return says how many of all prints they are
     */
    public String caption() {
        return "Printed by the device"
                + (prints.size() <= MOST ? "" : ": the last %s of %s".formatted(MOST, prints.size()));
    }

    /**
     * One tensor that a device printed.
     *
     * @param arrived an instant in UTC
     * @param core that printed it
     * @param prefix the words before it
     * @param type of its elements, with its shape
     * @param values the least and the greatest, and how many are no finite number; why it was not decoded where it was not
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Print(String arrived, String core, String prefix, String type, String values) {

        private static Print of(JsonValue print) {
            return new Print(
                    print.text("arrived"),
                    print.text("core"),
                    print.text("prefix"),
                    print.text("dtype") + " [" + String.join(", ", print.texts("shape")) + "]",
                    print.text("notDecoded").isEmpty() ? values(print.in("values")) : print.text("notDecoded"));
        }

        /**
         * When it arrived.
         *
         * @return what is between the T and the Z of the instant, down to milliseconds
         */
        public String clock() {
            String clock = arrived.substring(arrived.indexOf('T') + 1).replace("Z", "");
            return clock.substring(0, Math.min(clock.length(), "00:00:00.000".length()));
        }

        private static String values(JsonValue values) {
            String range =
                    values.object().isEmpty() ? "" : "%s to %s".formatted(values.text("least"), values.text("most"));
            return range + odd(values, "nan", "NaN") + odd(values, "infinite", "infinite");
        }

        private static String odd(JsonValue values, String name, String what) {
            return values.number(name)
                    .filter(count -> count.signum() > 0)
                    .map(count -> ", " + count.toPlainString() + " " + what)
                    .orElse("");
        }
    }
}
