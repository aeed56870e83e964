package dev.neurontest.report.page;

import dev.neurontest.json.JsonObject;
import dev.neurontest.json.JsonValue;
import dev.neurontest.metric.ByteSize;
import java.math.BigDecimal;
import java.util.List;

/** What a recording of kind {@code counters} says, as far as a report shows it. */
record RecordedCounters(List<Change> moved, List<Change> foreign, List<String> unreadable, List<String> neighbours) {

    static final String KIND = "counters";

    static RecordedCounters of(JsonObject recording) {
        JsonValue members = JsonValue.of(recording);
        return new RecordedCounters(
                changes(members, "moved"),
                changes(members, "foreign"),
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
            boolean shared) {

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
                    members.text("attribution").equals("shared"));
        }

        /** As violations name it. */
        String subject() {
            return place + " " + counter + (field.equals("peak") ? "/peak" : "");
        }

        /** Whether it tells of something that went wrong: a status other than success, or an uncorrected ECC error. */
        boolean isError() {
            return counter.startsWith("status/")
                    ? !counter.equals("status/success")
                    : counter.startsWith("hardware/") && counter.contains("ecc") && counter.endsWith("uncorrected");
        }

        String value(BigDecimal number) {
            return unit.equals("bytes") && number.signum() >= 0
                    ? ByteSize.human(number.toBigInteger())
                    : number.toPlainString();
        }

        String change() {
            String sign = delta.signum() < 0 ? "\u2212" : "+";
            return (movement.equals("cleared") ? "at least " : "") + sign + value(delta.abs());
        }

        /** What must be said beside the numbers; empty for a plain rise or fall. */
        String remark() {
            String moved = movement.equals("rose") || movement.equals("fell") ? "" : movement;
            return shared ? (moved.isEmpty() ? "shared" : moved + ", shared") : moved;
        }
    }
}
