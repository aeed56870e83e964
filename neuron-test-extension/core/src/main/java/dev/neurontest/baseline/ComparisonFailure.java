package dev.neurontest.baseline;

import dev.neurontest.text.VisibleText;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;

/** Why a test fails because of its baselines: each comparison that it fails for, whole. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ComparisonFailure {

    private final List<ComparisonText> comparisons;
    private final List<String> why;

    /**
     * Puts comparisons into words.
     *
     * @param comparisons those that the test fails for; which outcomes do is a matter of settings
     * @throws IllegalArgumentException when there are none
     */
    public ComparisonFailure(List<Comparison> comparisons) {
        this(comparisons, List.of());
    }

    /**
     * Puts comparisons into words.
     *
     * @param comparisons those that the test fails for; which outcomes do is a matter of settings
     * @param why what took longer, or why that is not known: lines that follow the comparisons; empty where there is nothing to say
     * @throws IllegalArgumentException when there are no comparisons
     */
    public ComparisonFailure(List<Comparison> comparisons, List<String> why) {
        this.why = List.copyOf(why);
        if (comparisons.isEmpty()) {
            throw new IllegalArgumentException("there is nothing to fail for");
        }
        this.comparisons = comparisons.stream().map(ComparisonText::new).toList();
    }

    /**
     * What the test fails with. Its expected and actual values are the medians, one line for each comparison.
     *
     * @return the error
     */
    public AssertionFailedError toError() {
        return new AssertionFailedError(VisibleText.of(text()), VisibleText.of(expected()), VisibleText.of(actual()));
    }

    /**
     * The message.
     *
     * @return lines of text; a headline only where there are several comparisons
     */
    public String text() {
        String blocks = comparisons.stream().map(ComparisonText::text).collect(Collectors.joining("\n"));
        String all = comparisons.size() == 1 ? blocks : "Compared with baselines: %s\n\n%s".formatted(found(), blocks);
        return why.isEmpty() ? all : all + "\n" + String.join("\n", why) + "\n";
    }

    private String found() {
        Map<ComparisonOutcome, Long> found = comparisons.stream()
                .collect(Collectors.groupingBy(
                        each -> each.comparison().outcome(),
                        () -> new EnumMap<>(ComparisonOutcome.class),
                        Collectors.counting()));
        return found.entrySet().stream()
                .map(each -> each.getValue() + " " + ComparisonText.words(each.getKey()))
                .collect(Collectors.joining(", "));
    }

    /**
     * The medians of the baselines.
     *
     * @return one a line
     */
    public String expected() {
        return lines(each -> each.comparison().baseline().map(each::median).orElse("a baseline of this stack"));
    }

    /**
     * The medians of what was measured.
     *
     * @return the same lines as the baselines
     */
    public String actual() {
        return lines(each -> each.comparison().sample().runs().isEmpty()
                ? "no run that counts"
                : each.median(each.comparison().sample()));
    }

    private String lines(Function<ComparisonText, String> median) {
        return comparisons.size() == 1
                ? median.apply(comparisons.get(0))
                : comparisons.stream()
                        .map(each ->
                                "%s: %s".formatted(each.comparison().metric().name(), median.apply(each)))
                        .collect(Collectors.joining("\n"));
    }
}
