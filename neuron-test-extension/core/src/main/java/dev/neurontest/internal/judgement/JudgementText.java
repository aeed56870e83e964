package dev.neurontest.internal.judgement;

import dev.neurontest.internal.text.CountText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The text of a judgement, common to the failure messages of all measurements. Each failure adds its headline and its table.
 *
 * @param judgement result of the expectations
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record JudgementText(Judgement judgement) {

    /** Returns whether there is a violation or an undecided result. */
    public boolean isFailure() {
        return !judgement.violations().isEmpty() || !judgement.undecided().isEmpty();
    }

    /** Returns the line that decided, because a list of failures shows only the first line of a message; empty without a violation. */
    public String headline() {
        return judgement.violations().stream()
                .findFirst()
                .map(violation -> violation.sentence() + "\n")
                .orElse("");
    }

    /**
     * Returns the number of unmet expectations for a line.
     *
     * @return such as {@code 2 expectations violated, 1 expectation undecided}
     */
    public String found() {
        return Stream.of(
                        counted(judgement.violations().size(), "violated"),
                        counted(judgement.undecided().size(), "undecided"),
                        counted(judgement.notApplicable().size(), "not applicable"))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static String counted(int expectations, String noun) {
        return expectations == 0 ? "" : CountText.of(expectations, "expectation") + " " + noun;
    }

    /**
     * Returns advice for each unmet expectation, and the notices. A common reason of several undecided results is printed once.
     *
     * @return paragraphs, each after an empty line
     */
    public String explained() {
        StringBuilder text = new StringBuilder();
        judgement
                .violations()
                .forEach(each -> text.append("\n%s\n  expected %s\n  was %s\n  %s\n"
                        .formatted(each.subject(), each.expected(), each.actual(), each.advice())));
        text.append(byReason("undecided", judgement.undecided(), Undecided::reason, Undecided::subject));
        text.append(byReason("not applicable", judgement.notApplicable(), NotApplicable::reason, NotApplicable::rule));
        if (!judgement.notices().isEmpty()) {
            text.append("\nAlso seen:\n");
            judgement
                    .notices()
                    .forEach(notice -> text.append("  ").append(notice).append('\n'));
        }
        return text.toString();
    }

    private static <T> String byReason(
            String word, List<T> expectations, Function<T, String> reason, Function<T, String> name) {
        Map<String, List<String>> names = new LinkedHashMap<>();
        expectations.forEach(each -> names.computeIfAbsent(reason.apply(each), first -> new ArrayList<>())
                .add(name.apply(each)));
        StringBuilder text = new StringBuilder();
        names.forEach((why, same) -> text.append("\n%s\n  %s: %s\n".formatted(String.join("\n", same), word, why)));
        return text.toString();
    }

    /** Returns the expected values for a comparison in an IDE, one per line. */
    public String expected() {
        return lines(
                judgement.violations().stream().map(each -> each.subject() + ": " + each.expected()),
                judgement.undecided().stream().map(each -> each.subject() + ": " + each.rule()));
    }

    /** Returns the actual values, in the same lines as the expected ones. */
    public String actual() {
        return lines(
                judgement.violations().stream().map(each -> each.subject() + ": " + each.actual()),
                judgement.undecided().stream().map(each -> each.subject() + ": undecided"));
    }

    private static String lines(Stream<String> violations, Stream<String> undecided) {
        return Stream.concat(violations, undecided).collect(Collectors.joining("\n"));
    }
}
