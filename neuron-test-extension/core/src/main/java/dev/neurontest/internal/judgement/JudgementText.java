package dev.neurontest.internal.judgement;

import dev.neurontest.internal.text.CountText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A judgement in words: what the failure messages of all wings say alike. Each wing adds its headline and its table.
 *
 * @param judgement what expectations found
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record JudgementText(Judgement judgement) {

    /**
     * Whether there is anything to fail with.
     *
     * @return false when nothing is violated and nothing undecided
     */
    public boolean isFailure() {
        return !judgement.violations().isEmpty() || !judgement.undecided().isEmpty();
    }

    /**
     * How many demands were not met, for a headline.
     *
     * @return such as {@code 2 demands violated, 1 demand undecided}
     */
    public String found() {
        return Stream.of(
                        counted(judgement.violations().size(), "violated"),
                        counted(judgement.undecided().size(), "undecided"))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static String counted(int demands, String what) {
        return demands == 0 ? "" : CountText.of(demands, "demand") + " " + what;
    }

    /**
     * What to do about each demand that was not met, and what else a reader should know. A reason that several undecided demands
     * share is said once.
     *
     * @return paragraphs, each with an empty line before it
     */
    public String explained() {
        StringBuilder text = new StringBuilder();
        judgement
                .violations()
                .forEach(each -> text.append("\n%s\n  expected %s\n  was %s\n  %s\n"
                        .formatted(each.subject(), each.expected(), each.actual(), each.advice())));
        Map<String, List<String>> subjects = new LinkedHashMap<>();
        judgement
                .undecided()
                .forEach(each -> subjects.computeIfAbsent(each.reason(), reason -> new ArrayList<>())
                        .add(each.subject()));
        subjects.forEach(
                (reason, same) -> text.append("\n%s\n  undecided: %s\n".formatted(String.join("\n", same), reason)));
        if (!judgement.notices().isEmpty()) {
            text.append("\nAlso seen:\n");
            judgement
                    .notices()
                    .forEach(notice -> text.append("  ").append(notice).append('\n'));
        }
        return text.toString();
    }

    /**
     * The demands, for an IDE that shows them beside what was there.
     *
     * @return one a line
     */
    public String expected() {
        return lines(
                judgement.violations().stream().map(each -> each.subject() + ": " + each.expected()),
                judgement.undecided().stream().map(each -> each.subject() + ": " + each.rule()));
    }

    /**
     * What was there instead.
     *
     * @return the same lines as the demands
     */
    public String actual() {
        return lines(
                judgement.violations().stream().map(each -> each.subject() + ": " + each.actual()),
                judgement.undecided().stream().map(each -> each.subject() + ": undecided"));
    }

    private static String lines(Stream<String> violations, Stream<String> undecided) {
        return Stream.concat(violations, undecided).collect(Collectors.joining("\n"));
    }
}
