package dev.neurontest.report.page;

import dev.neurontest.json.JsonObject;
import dev.neurontest.json.JsonValue;
import java.util.List;

/** What a recording of kind {@code prints} says, as far as a report shows it. */
record RecordedPrints(List<Print> prints, List<String> mismatches, List<String> doubts) {

    static final String KIND = "prints";

    static RecordedPrints of(JsonObject recording) {
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

    /** What was printed just before the end. */
    List<Print> last(int most) {
        return prints.subList(Math.max(0, prints.size() - most), prints.size());
    }

    /** One tensor that a device printed. */
    record Print(String arrived, String core, String prefix, String type, String values) {

        private static Print of(JsonValue print) {
            return new Print(
                    print.text("arrived"),
                    print.text("core"),
                    print.text("prefix"),
                    print.text("dtype") + " [" + String.join(", ", print.texts("shape")) + "]",
                    print.text("notDecoded").isEmpty() ? values(print.in("values")) : print.text("notDecoded"));
        }

        /** What is between the T and the Z of an instant, down to milliseconds. */
        String clock() {
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
