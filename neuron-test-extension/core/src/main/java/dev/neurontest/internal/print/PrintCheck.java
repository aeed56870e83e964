package dev.neurontest.internal.print;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.tensor.ValueSummary;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintExpectation;
import dev.neurontest.print.PrintSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Check of expectations against prints. It also collects remarkable observations. */
@API(status = API.Status.INTERNAL)
public final class PrintCheck {

    private static final int NAMED = 5;

    private final DevicePrints prints;
    private final Map<String, List<DevicePrint>> byPrefix;
    private final Map<String, List<DevicePrint>> notFinite;
    private final String doubts;
    private final List<Violation> violations = new ArrayList<>();
    private final List<Undecided> undecided = new ArrayList<>();

    public PrintCheck(DevicePrints prints) {
        this.prints = prints;
        this.byPrefix = prints.byPrefix();
        this.notFinite = PrintPart.by(prints.notFinite(), DevicePrint::prefix);
        this.doubts =
                prints.doubts().stream().map(PrintDoubt::reason).distinct().collect(Collectors.joining("; "));
    }

    public void hold(PrintExpectation expectation) {
        String doubts =
                String.join("; ", prints.withPrefix(expectation.prefix()).uncertainties());
        List<DevicePrint> matching = byPrefix.getOrDefault(expectation.prefix(), List.of());
        numbers(matching).forEach((number, programs) -> number(expectation, number, programs, doubts));
        if (expectation.noNaN()) {
            noNaN(expectation, matching, doubts);
        }
    }

    /** Returns each number of prints with the programs that printed so many; without programs on one host. */
    private Map<Integer, List<String>> numbers(List<DevicePrint> matching) {
        if (prints.sources().isEmpty()) {
            return Map.of(matching.size(), List.of());
        }
        Map<Optional<PrintSource>, List<DevicePrint>> printed = PrintPart.by(matching, DevicePrint::source);
        Map<Integer, List<String>> programs = new TreeMap<>();
        prints.sources()
                .forEach(source -> programs.computeIfAbsent(
                                printed.getOrDefault(Optional.of(source), List.of())
                                        .size(),
                                first -> new ArrayList<>())
                        .add(source.toString()));
        return programs;
    }

    private void number(PrintExpectation expectation, int number, List<String> programs, String doubts) {
        String subject = "number of prints of " + PrintNames.quoted(expectation.prefix())
                + (programs.isEmpty() ? "" : " by " + ListText.some(programs, NAMED));
        boolean tooFew = number < expectation.min();
        boolean limited = expectation.max() != PrintExpectation.NO_LIMIT;
        if (number > expectation.max() || tooFew && doubts.isEmpty()) {
            violations.add(new Violation(
                    expectation.words(),
                    subject,
                    expectation.number(),
                    Integer.toString(number),
                    advice(expectation, number)));
        } else if (!doubts.isEmpty() && (tooFew || limited)) {
            undecided.add(new Undecided(
                    expectation.words(),
                    subject,
                    "%s arrived, and there may have been more: %s".formatted(number, doubts)));
        }
    }

    private void noNaN(PrintExpectation expectation, List<DevicePrint> matching, String doubts) {
        String subject = "values of " + PrintNames.quoted(expectation.prefix());
        Optional<String> nan = describe(expectation.prefix(), "NaN", ValueSummary::nan, ValueSummary::firstNaN);
        Optional<DevicePrint> undecodable =
                matching.stream().filter(print -> !print.tensor().isDecodable()).findFirst();
        if (nan.isPresent()) {
            violations.add(new Violation(
                    expectation.words(),
                    subject,
                    "no NaN",
                    nan.get(),
                    "Start at the first print with NaN: its inputs were still correct."));
        } else if (undecodable.isPresent()) {
            undecided.add(new Undecided(
                    expectation.words(),
                    subject,
                    "%s %s"
                            .formatted(
                                    PrintNames.label(undecodable.get()),
                                    undecodable.get().tensor().notDecodable())));
        } else if (!doubts.isEmpty()) {
            undecided.add(new Undecided(expectation.words(), subject, "there may have been more prints: " + doubts));
        }
    }

    /** Describes values such as {@code NaN in 1 of 64 prints, first in print 40 at [3, 17] (12 of 65,536 values)}. */
    private Optional<String> describe(
            String prefix, String what, ToLongFunction<ValueSummary> count, ToLongFunction<ValueSummary> first) {
        List<DevicePrint> affected = PrintPart.of(
                notFinite.getOrDefault(prefix, List.of()), print -> count.applyAsLong(prints.summary(print)) > 0);
        return affected.stream()
                .findFirst()
                .map(print -> "%s in %s of %s prints, first in print %s%s at %s (%s)"
                        .formatted(
                                what,
                                affected.size(),
                                byPrefix.get(prefix).size(),
                                print.order(),
                                PrintNames.by(print),
                                print.tensor().written().index(first.applyAsLong(prints.summary(print))),
                                countOf(
                                        count.applyAsLong(prints.summary(print)),
                                        print.tensor().written().size(),
                                        print.tensor().isAbbreviated())));
    }

    private static String countOf(long affected, long all, boolean isAbbreviated) {
        String number = affected == all && all > 1 ? "all " : CountText.of(affected) + " of ";
        return number + CountText.of(all) + (isAbbreviated ? " written values" : " values");
    }

    private String advice(PrintExpectation expectation, int number) {
        if (number > 0 || byPrefix.containsKey(expectation.prefix())) {
            return number > expectation.max()
                    ? "Every execution prints again, and so does every iteration of a loop: number = print sites x iterations x executions."
                    : "A print is missing if the kernel did not reach it, or if its execution failed before.";
        }
        if (byPrefix.isEmpty()) {
            return "Nothing was printed at all. The kernel must be executed while the test runs, on a core of the test, and must"
                    + " contain device_print when it is compiled.";
        }
        return "No print has exactly this prefix. Arrived: "
                + byPrefix.keySet().stream()
                        .limit(NAMED)
                        .map(PrintNames::quoted)
                        .collect(Collectors.joining(", "))
                + (byPrefix.size() > NAMED ? " and %s more.".formatted(byPrefix.size() - NAMED) : ".");
    }

    public Judgement judgement(List<PrintExpectation> expectations) {
        return new Judgement(violations, undecided, notices(expectations));
    }

    private List<String> notices(List<PrintExpectation> expectations) {
        List<String> notices = new ArrayList<>();
        if (!doubts.isEmpty() && undecided.isEmpty()) {
            notices.add("Prints may be missing: " + doubts);
        }
        notices.addAll(remarkable(expectations));
        return notices;
    }

    /** Describes the prints with NaN or infinity, for each prefix with a matching print. */
    private List<String> notFinite(Predicate<DevicePrint> wantsNaN, Predicate<DevicePrint> wantsInfinity) {
        List<String> descriptions = new ArrayList<>();
        byPrefix.keySet().forEach(prefix -> {
            List<DevicePrint> group = notFinite.getOrDefault(prefix, List.of());
            if (group.stream()
                    .filter(wantsNaN)
                    .anyMatch(print -> prints.summary(print).nan() > 0)) {
                describe(prefix, "NaN", ValueSummary::nan, ValueSummary::firstNaN)
                        .ifPresent(text -> descriptions.add(PrintNames.quoted(prefix) + " has " + text));
            }
            if (group.stream()
                    .filter(wantsInfinity)
                    .anyMatch(print -> prints.summary(print).infinite() > 0)) {
                describe(prefix, "infinity", ValueSummary::infinite, ValueSummary::firstInfinite)
                        .ifPresent(text -> descriptions.add(PrintNames.quoted(prefix) + " has " + text));
            }
        });
        return descriptions;
    }

    /** Describes the prints with NaN or infinity, for each prefix with a print that the test has not inspected. */
    public List<String> notFinite(Predicate<DevicePrint> unseen) {
        return notFinite(unseen, unseen);
    }

    /** Returns notices about values and events, except NaN that an expectation already reports. */
    List<String> remarkable(List<PrintExpectation> expectations) {
        List<String> notices = new ArrayList<>(notFinite(
                print -> expectations.stream()
                        .noneMatch(expectation ->
                                expectation.noNaN() && expectation.prefix().equals(print.prefix())),
                print -> true));
        List<OddEvent> odd = prints.oddEvents();
        if (!odd.isEmpty()) {
            notices.add("%s; the first: %s"
                    .formatted(
                            odd.size() == 1
                                    ? "1 event is not a print and is kept unchanged"
                                    : odd.size() + " events are not prints and are kept unchanged",
                            odd.get(0).reason()));
        }
        notices.addAll(prints.notices());
        return notices;
    }
}
