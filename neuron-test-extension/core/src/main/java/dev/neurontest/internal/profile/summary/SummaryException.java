package dev.neurontest.internal.profile.summary;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** Thrown when the output of a tool contains no readable summary. The message contains the problem, its place, and advice. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SummaryException extends RuntimeException {

    private static final long serialVersionUID = 1;
    private static final int SHOWN = 60;

    private SummaryException(String problem, String advice) {
        super(VisibleText.of(problem + " " + advice), null);
    }

    static SummaryException missing(String printed) {
        return printed.isBlank()
                ? new SummaryException(
                        "The tool printed nothing, expected a summary.", "See its log, or run the command by hand.")
                : new SummaryException(
                        "The tool printed no summary in %s characters, which begin with %s."
                                .formatted(printed.length(), quoted(printed, 0)),
                        "Expected one JSON object such as {\"n_6a9f\": {\"total_time\": 2.6e-05}}. "
                                + "See the log, and check that this version still supports --output-format summary-json.");
    }

    static SummaryException empty(String table) {
        return new SummaryException(
                "The table %s contains no number of the trace.".formatted(table),
                "It is written last: the tool was ended, or could not process the trace; see its log.");
    }

    static SummaryException broken(String printed, int start, JsonText.Broken broken, JsonText reader) {
        String progress = reader.namesRead() == 0
                ? "No metric was read"
                : "%s names were read, the last is \"%s\"".formatted(reader.namesRead(), shortened(reader.lastName()));
        if (broken.isCut()) {
            return new SummaryException(
                    "The summary that begins at character %s is cut at its end, character %s. %s."
                            .formatted(start, broken.offset(), progress),
                    "The tool or its output was ended early; see its log.");
        }
        return new SummaryException(
                "The summary that begins at character %s is broken at character %s: %s, there is %s. %s."
                        .formatted(
                                start,
                                broken.offset(),
                                broken.getMessage(),
                                quoted(printed, broken.offset()),
                                progress),
                "Run the command by hand; if it prints the same again, report it with the version of the tool.");
    }

    private static String quoted(String printed, int from) {
        StringBuilder shown = new StringBuilder("\"");
        int end = Math.min(printed.length(), from + SHOWN);
        printed.substring(from, end).chars().forEach(c -> {
            if (c == '\n') {
                shown.append("\\n");
            } else if (c < ' ' || c == 0x7f) {
                shown.append("\\u%04x".formatted(c));
            } else {
                shown.append((char) c);
            }
        });
        return shown.append(end < printed.length() ? "\"..." : "\"").toString();
    }

    private static String shortened(String name) {
        return name.length() <= SHOWN ? name : name.substring(0, SHOWN) + "...";
    }
}
