package dev.neurontest.internal.profile.summary;

import dev.neurontest.internal.profile.ProfileMetrics;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.ProfileSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finder of the summary in the output of {@code view --output-format summary-json}. The summary follows log lines, and has one key for each
 * graph. In files of wrappers, an object without the outer key is read too, and in both forms the array {@code summary} of a full json.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SummaryReader {

    private static final String FULL_JSON = "summary";

    private SummaryReader() {}

    /** Keys of log lines in JSON. */
    private static final Set<String> OF_A_LOGGER = Set.of("level", "lvl", "severity", "msg", "message");

    private static final Set<String> OF_A_FAILURE = Set.of("error", "errors", "failure", "exception");

    /**
     * The summaries in an output.
     *
     * @param summaries one summary for each graph, in the tool's order; at least one
     * @param problems reasons for doubt in the summaries, although they can be read
     */
    public record Printed(List<ProfileSummary> summaries, List<String> problems) {

        /** Creates an output with its own copies. */
        public Printed {
            summaries = List.copyOf(summaries);
            problems = List.copyOf(problems);
        }
    }

    /**
     * Reads all summaries. A tool prints exactly one object. Any further object makes it doubtful which of them belongs to the trace. The
     * tool writes the key of each graph; log lines with metrics have no such key.
     *
     * @param printed standard output of the tool
     * @return at least one summary
     * @throws SummaryException when there is no summary, or it is truncated or broken
     */
    public static Printed read(String printed) {
        List<String> before = new ArrayList<>();
        SummaryException failure = null;
        int furthest = -1;
        int start = printed.indexOf('{');
        while (start >= 0) {
            JsonText reader = new JsonText(printed, start);
            int next;
            try {
                JsonText.Members root = reader.object();
                List<String> problems = new ArrayList<>(before);
                List<ProfileSummary> summaries =
                        isLogLine(root) || !hasGraph(root) ? List.of() : summaries(root, problems);
                if (!summaries.isEmpty()) {
                    problems.addAll(errorMembers(root));
                    secondObject(printed, reader.position()).ifPresent(problems::add);
                    return new Printed(summaries, problems);
                }
                if (before.isEmpty() && isAnother(printed, 0, start, root)) {
                    before.add(
                            "another JSON object begins at character %s, before the summary, but the tool writes only one for a trace"
                                    .formatted(start));
                }
                next = reader.position();
            } catch (JsonText.Broken broken) {
                if (reader.isSummary()) {
                    throw SummaryException.broken(printed, start, broken, reader);
                }
                // A brace in the log, unless no better object follows. A brace without a name after it is not the
                // beginning of an object.
                if (reader.namesRead() > 0 && broken.offset() > furthest) {
                    failure = SummaryException.broken(printed, start, broken, reader);
                    furthest = broken.offset();
                }
                next = start + 1;
            }
            start = printed.indexOf('{', next);
        }
        throw failure == null ? SummaryException.missing(printed) : failure;
    }

    /**
     * Checks whether a name belongs only to a summary.
     *
     * @param depth 1 for names of the outermost object
     */
    static boolean isOfSummary(String name, int depth) {
        return switch (depth) {
            case 1 -> isGraph(name) || name.equals(FULL_JSON) || isKnown(name);
            case 2 -> isKnown(name);
            default -> false;
        };
    }

    private static boolean isGraph(String name) {
        return name.startsWith("n_");
    }

    private static boolean isKnown(String name) {
        return ProfileMetrics.find(name)
                .filter(known -> known.metric().unit() != Unit.TEXT)
                .isPresent();
    }

    private static boolean hasMetrics(JsonText.Members object) {
        return object.members().stream().anyMatch(member -> isKnown(member.name()));
    }

    private static boolean isLogLine(JsonText.Members root) {
        return root.members().stream()
                .anyMatch(member -> OF_A_LOGGER.contains(member.name())
                        && (member.value() instanceof String || member.value() instanceof JsonText.Literal));
    }

    private static boolean hasGraph(JsonText.Members root) {
        return root.members().stream()
                .anyMatch(member -> isGraph(member.name()) && member.value() instanceof JsonText.Members
                        || member.name().equals(FULL_JSON) && member.value() instanceof JsonText.Elements);
    }

    /** Returns the error members next to the graphs. Other members, such as those of newer tools, are ignored. */
    private static List<String> errorMembers(JsonText.Members root) {
        return root.members().stream()
                .filter(member ->
                        OF_A_FAILURE.contains(member.name()) && !member.raw().equals("null"))
                .map(member -> "next to its graphs is %s: %s".formatted(member.name(), member.raw()))
                .toList();
    }

    /**
     * Returns a sentence about another object after the summary: an object with metrics, or one at the beginning of a line, where no log
     * line has one.
     */
    private static Optional<String> secondObject(String printed, int end) {
        int start = printed.indexOf('{', end);
        while (start >= 0) {
            JsonText reader = new JsonText(printed, start);
            boolean counts;
            int next = start + 1;
            try {
                JsonText.Members root = reader.object();
                next = reader.position();
                counts = isAnother(printed, end, start, root);
            } catch (JsonText.Broken broken) {
                counts = reader.isSummary();
            }
            if (counts) {
                return Optional.of(
                        "a second JSON object begins at character %s, after the summary, but the tool writes only one for a trace"
                                .formatted(start));
            }
            start = printed.indexOf('{', next);
        }
        return Optional.empty();
    }

    private static boolean isAnother(String printed, int end, int start, JsonText.Members root) {
        return !isLogLine(root)
                && !root.members().isEmpty()
                && (beginsLine(printed, end, start)
                        || !summaries(root, new ArrayList<>()).isEmpty());
    }

    private static boolean beginsLine(String printed, int end, int start) {
        int line = Math.max(end, printed.lastIndexOf('\n', start) + 1);
        return printed.substring(line, start).isBlank();
    }

    private static List<ProfileSummary> summaries(JsonText.Members root, List<String> problems) {
        if (hasMetrics(root)) {
            return List.of(summary("", root, problems));
        }
        Map<String, ProfileSummary> graphs = new LinkedHashMap<>();
        for (JsonText.Member member : root.members()) {
            if (member.value() instanceof JsonText.Members graph && (isGraph(member.name()) || hasMetrics(graph))) {
                if (graphs.put(member.name(), summary(member.name(), graph, problems)) != null) {
                    problems.add("the graph %s is written twice".formatted(member.name()));
                }
            } else if (member.name().equals(FULL_JSON) && member.value() instanceof JsonText.Elements all) {
                for (Object element : all.elements()) {
                    if (element instanceof JsonText.Members graph) {
                        String key = "%s[%s]".formatted(FULL_JSON, graphs.size());
                        graphs.put(key, summary(key, graph, problems));
                    }
                }
            }
        }
        return List.copyOf(graphs.values());
    }

    private static ProfileSummary summary(String key, JsonText.Members graph, List<String> problems) {
        Map<String, Object> values = new LinkedHashMap<>();
        List<String> oddities = new ArrayList<>();
        Map<String, String> written = new LinkedHashMap<>();
        for (JsonText.Member member : graph.members()) {
            String before = written.put(member.name(), member.raw());
            if (before != null && !before.equals(member.raw())) {
                String twice = "%s: written twice, %s and then %s".formatted(member.name(), before, member.raw());
                oddities.add(twice);
                problems.add(twice);
            }
            Object value = value(member);
            if (value == null) {
                values.remove(member.name());
            } else {
                values.put(member.name(), value);
            }
            oddity(member, value).ifPresent(oddities::add);
        }
        return new ProfileSummary(key, values, oddities);
    }

    /** Returns a number, a text, or null for other values. */
    private static @Nullable Object value(JsonText.Member member) {
        Optional<Unit> unit =
                ProfileMetrics.find(member.name()).map(known -> known.metric().unit());
        boolean isText = unit.filter(Unit.TEXT::equals).isPresent();
        boolean isNumber = unit.isPresent() && !isText;
        if (member.value() instanceof JsonText.Literal literal) {
            if (literal.text().equals("null")) {
                return null;
            }
            boolean isWord = !SummaryNumber.isNumber(literal.text()) && !SummaryNumber.isNotFinite(literal.text());
            return isText || isWord && !isNumber ? literal.text() : number(literal.text());
        }
        String text = member.value() instanceof String string ? string : member.raw();
        return isNumber ? number(text.strip()) : text;
    }

    private static Optional<String> oddity(JsonText.Member member, @Nullable Object value) {
        boolean isAbsent = member.raw().equals("null");
        return value != null || isAbsent ? Optional.empty() : Optional.of(member.name() + ": " + member.raw());
    }

    private static @Nullable Double number(String text) {
        if (!SummaryNumber.isNumber(text)) {
            return null;
        }
        double number = Double.parseDouble(text);
        return Double.isFinite(number) ? number : null;
    }
}
