package dev.neurontest.report.page;

import dev.neurontest.json.JsonObject;
import dev.neurontest.json.JsonValue;
import dev.neurontest.metric.ByteSize;
import java.math.BigDecimal;
import java.util.List;

/** What a recording of kind {@code counters} says, as far as a report shows it. */
record RecordedCounters(
        List<Change> moved,
        List<Change> foreign,
        List<String> remarks,
        List<String> unreadable,
        List<String> neighbours) {

    static final String KIND = "counters";

    static RecordedCounters of(JsonObject recording) {
        JsonValue members = JsonValue.of(recording);
        return new RecordedCounters(
                changes(members, "moved"),
                changes(members, "foreign"),
                members.texts("remarks"),
                members.each("unreadable").stream()
                        .map(each -> each.text("message"))
                        .toList(),
                members.texts("neighbours"));
    }

    private static List<Change> changes(JsonValue members, String name) {
        return members.each(name).stream().map(Change::of).toList();
    }

    /** What one counter did. */
    record Change(
            String place,
            String counter,
            String field,
            String unit,
            String movement,
            BigDecimal before,
            BigDecimal after,
            BigDecimal delta,
            boolean isError,
            String remark) {

        private static Change of(JsonValue members) {
            return new Change(
                    members.text("place"),
                    members.text("counter"),
                    members.text("field"),
                    members.text("unit"),
                    members.text("movement"),
                    members.number("before").orElse(BigDecimal.ZERO),
                    members.number("after").orElse(BigDecimal.ZERO),
                    members.number("delta").orElse(BigDecimal.ZERO),
                    members.find("error").map(JsonValue::truth).orElse(false),
                    members.text("remark"));
        }

        /** As violations name it. */
        String subject() {
            return place + " " + counter + (field.equals("peak") ? "/peak" : "");
        }

        String value(BigDecimal number) {
            return unit.equals("bytes") && number.signum() >= 0
                    ? ByteSize.human(number.toBigInteger())
                    : number.toPlainString();
        }

        String change() {
            String sign = delta.signum() < 0 ? "\u2212" : "+";
            return (movement.equals("decreased") ? "at least " : "") + sign + value(delta.abs());
        }
    }
}
