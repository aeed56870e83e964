package dev.neurontest.profile;

import dev.neurontest.metric.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds the summary in what {@code view --output-format summary-json} printed: after lines of a log, with one key for each graph. What
 * wrappers keep of it is read too: an object without the outer key, and the array {@code summary} of a full json.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SummaryReader {

    private static final String FULL_JSON = "summary";

    private SummaryReader() {}

    /**
     * Reads all summaries.
     *
     * @param printed what the tool printed to its standard output
     * @return one for each graph, in the tool's order; at least one
     * @throws SummaryException when there is none, or it is cut or broken
     */
    public static List<ProfileSummary> read(String printed) {
        SummaryException failure = null;
        int furthest = -1;
        int start = printed.indexOf('{');
        while (start >= 0) {
            JsonText reader = new JsonText(printed, start);
            int next;
            try {
                List<ProfileSummary> summaries = summaries(reader.object());
                if (!summaries.isEmpty()) {
                    return summaries;
                }
                next = reader.position();
            } catch (JsonText.Broken broken) {
                if (reader.isSummary()) {
                    throw SummaryException.broken(printed, start, broken, reader);
                }
                // A brace in the log, unless nothing better follows. That of a bare word is no beginning at all.
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
     * Whether only a summary has this name.
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

    private static List<ProfileSummary> summaries(JsonText.Members root) {
        if (hasMetrics(root)) {
            return List.of(summary("", root, false));
        }
        Map<String, ProfileSummary> graphs = new LinkedHashMap<>();
        for (JsonText.Member member : root.members()) {
            if (member.value() instanceof JsonText.Members graph && (isGraph(member.name()) || hasMetrics(graph))) {
                boolean again = graphs.containsKey(member.name());
                graphs.put(member.name(), summary(member.name(), graph, again));
            } else if (member.name().equals(FULL_JSON) && member.value() instanceof JsonText.Elements all) {
                for (Object element : all.elements()) {
                    if (element instanceof JsonText.Members graph) {
                        String key = "%s[%d]".formatted(FULL_JSON, graphs.size());
                        graphs.put(key, summary(key, graph, false));
                    }
                }
            }
        }
        return List.copyOf(graphs.values());
    }

    private static ProfileSummary summary(String key, JsonText.Members graph, boolean again) {
        Map<String, Object> values = new LinkedHashMap<>();
        List<String> oddities = new ArrayList<>();
        Map<String, String> written = new LinkedHashMap<>();
        if (again) {
            oddities.add(key + ": written twice, the last one counts");
        }
        for (JsonText.Member member : graph.members()) {
            String before = written.put(member.name(), member.raw());
            if (before != null && !before.equals(member.raw())) {
                oddities.add("%s: written twice, %s and then %s".formatted(member.name(), before, member.raw()));
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

    /** A number, a text, or null for what is neither. */
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
