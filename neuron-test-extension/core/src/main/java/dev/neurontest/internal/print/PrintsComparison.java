package dev.neurontest.internal.print;

import dev.neurontest.internal.tensor.TensorComparison;
import dev.neurontest.internal.tensor.TensorComparisonText;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.Tolerance;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A comparison of the prints of two runs of a kernel, such as a simulation and the device: prefix by prefix, in the order of arrival, and
 * value by value. The rounding of prints in text is allowed in addition to the tolerance.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PrintsComparison {

    private static final int NAMED = 5;

    private final DevicePrints actual;
    private final DevicePrints expected;
    private final List<String> numbers = new ArrayList<>();
    private final List<Pair> pairs = new ArrayList<>();

    private record Pair(DevicePrint actual, DevicePrint expected, TensorComparison comparison) {

        private boolean differs() {
            return !comparison.isComparable() || comparison.mismatches() > 0;
        }

        /** Returns whether nothing was compared because different values were written. Empty tensors are compared. */
        private boolean isUncompared() {
            return comparison.isPartial() && comparison.compared() == 0;
        }

        /** Returns whether this is the same print twice: no other run has a print of the same time. */
        private boolean isSame() {
            return actual.origin() == expected.origin() && actual.arrived().equals(expected.arrived());
        }
    }

    private PrintsComparison(DevicePrints actual, DevicePrints expected) {
        this.actual = actual;
        this.expected = expected;
    }

    /**
     * Compares all prints.
     *
     * @param actual prints that have arrived
     * @param expected prints of the other run
     */
    public static PrintsComparison of(DevicePrints actual, DevicePrints expected, Tolerance tolerance) {
        PrintsComparison comparison = new PrintsComparison(actual, expected);
        comparison.compare(tolerance);
        return comparison;
    }

    private void compare(Tolerance tolerance) {
        Map<String, List<DevicePrint>> arrived = PrintPart.by(actual.all(), DevicePrint::prefix);
        Map<String, List<DevicePrint>> wanted = PrintPart.by(expected.all(), DevicePrint::prefix);
        Set<String> prefixes = new LinkedHashSet<>(wanted.keySet());
        prefixes.addAll(arrived.keySet());
        for (String prefix : prefixes) {
            List<DevicePrint> is = arrived.getOrDefault(prefix, List.of());
            List<DevicePrint> should = wanted.getOrDefault(prefix, List.of());
            if (is.size() != should.size()) {
                numbers.add("%s: expected %s, was %s (%s)"
                        .formatted(
                                PrintNames.quoted(prefix),
                                CountText.of(should.size(), "print"),
                                is.size(),
                                is.size() < should.size()
                                        ? "missing: " + labels(should.subList(is.size(), should.size()))
                                        : "extra: " + labels(is.subList(should.size(), is.size()))));
            }
            for (int place = 0; place < Math.min(is.size(), should.size()); place++) {
                pairs.add(pair(is.get(place), should.get(place), tolerance));
            }
        }
    }

    private static Pair pair(DevicePrint is, DevicePrint should, Tolerance tolerance) {
        Tolerance allowed = tolerance.plus(is.rounding()).plus(should.rounding());
        // A program writes as few digits as identify a value in its data type, such as 0.1 in float32.
        boolean isShort = should.origin() == PrintOrigin.TEXT && allowed.ulps() < 0;
        return new Pair(
                is, should, TensorComparison.of(is.tensor(), should.tensor(), isShort ? allowed.orUlps(0) : allowed));
    }

    private static String labels(List<DevicePrint> prints) {
        return prints.stream().limit(NAMED).map(PrintNames::label).collect(Collectors.joining(", "))
                + (prints.size() > NAMED ? " and %s more".formatted(prints.size() - NAMED) : "");
    }

    /** Returns the reason why a comparison is meaningless; empty if there is none. */
    public Optional<String> refusal() {
        return Stream.of(actual, expected)
                .filter(prints -> prints.all().stream()
                                .map(print -> List.of(print.source(), print.coreIndex()))
                                .distinct()
                                .count()
                        > 1)
                .findFirst()
                .map(
                        several -> several.sources().isEmpty()
                                ? "The prints of several cores have no common order. Compare those of one core: assertThat(prints).onCore(0)."
                                : "The prints of several programs or cores have no common order. Compare those of one core: assertThat(prints).onRank(0).onCore(0).");
    }

    /** Returns the reason why prints without a difference prove nothing; empty if they do. */
    public Optional<String> emptyProof() {
        if (compared() == 0) {
            return Optional.of("No value was compared.");
        }
        Optional<Pair> uncompared = pairs.stream().filter(Pair::isUncompared).findFirst();
        if (uncompared.isPresent()) {
            return Optional.of("No value of %s was compared.".formatted(PrintNames.label(uncompared.get().actual)));
        }
        return pairs.stream().allMatch(Pair::isSame)
                ? Optional.of(
                        "The prints were compared with themselves, which proves nothing. Start the program a second time, such as on the device, and compare the prints of both runs.")
                : Optional.empty();
    }

    /** Returns the failed comparisons of prints. */
    public List<ComparedPrint> failed() {
        return pairs.stream()
                .filter(Pair::differs)
                .map(pair -> new ComparedPrint(pair.actual, pair.comparison))
                .toList();
    }

    /** Returns whether a print is missing or extra, or has other values. */
    public boolean differs() {
        return !numbers.isEmpty() || pairs.stream().anyMatch(Pair::differs);
    }

    /** Returns the number of compared values. */
    public long compared() {
        return pairs.stream().mapToLong(pair -> pair.comparison.compared()).sum();
    }

    /** Returns how much was compared if values were missing; empty when all values were compared. */
    public Optional<String> partly() {
        long partial =
                pairs.stream().filter(pair -> pair.comparison.isPartial()).count();
        return partial == 0
                ? Optional.empty()
                : Optional.of("Only %s of %s were compared, because %s."
                        .formatted(
                                CountText.of(compared(), "value"),
                                CountText.of(pairs.size(), "print"),
                                partial == 1 ? "1 print is abbreviated" : partial + " prints are abbreviated"));
    }

    /** Returns the differences: those in number, then the first print with other values. */
    public String text() {
        StringBuilder text = new StringBuilder();
        if (!numbers.isEmpty()) {
            text.append("Prints differ in number.\n");
            numbers.forEach(line -> text.append("  ").append(line).append('\n'));
        }
        List<Pair> wrong = pairs.stream().filter(Pair::differs).toList();
        wrong.stream()
                .findFirst()
                .ifPresent(first -> text.append(numbers.isEmpty() ? "" : "\n")
                        .append(TensorComparisonText.of(PrintNames.label(first.actual), first.comparison))
                        .append("The expected values are those of %s of the other run.\n"
                                .formatted(PrintNames.label(first.expected))));
        if (wrong.size() > 1) {
            text.append("%s of %s differ.\n".formatted(wrong.size(), CountText.of(pairs.size(), "print")));
        }
        partly().ifPresent(line -> text.append(line).append('\n'));
        return text.toString();
    }
}
