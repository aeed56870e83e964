package dev.neurontest.internal.print;

import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.text.TextTable;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintExpectation;
import dev.neurontest.print.PrintExpectations;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/** The failure of a test because of its prints: expected and arrived prints, and advice. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PrintFailure extends Failure {

    private static final int MOST_ROWS = 40;

    private final DevicePrints prints;
    private final List<PrintExpectation> expectations;

    private PrintFailure(DevicePrints prints, List<PrintExpectation> expectations, Judgement judgement) {
        super(judgement);
        this.prints = prints;
        this.expectations = expectations;
    }

    /** Judges the prints and creates the failure, which may be empty. */
    public static PrintFailure judged(PrintExpectations rules, DevicePrints prints) {
        DevicePrints arrived = prints.frozen();
        return of(rules, arrived, rules.judge(arrived));
    }

    /** Creates a failure from a judgement of prints that do not change. */
    public static PrintFailure of(PrintExpectations rules, DevicePrints prints, Judgement judgement) {
        return new PrintFailure(prints, rules.expectations(), judgement);
    }

    @Override
    public String text() {
        return "%sDevice prints: %s\n\n%s%s"
                .formatted(words().headline(), words().found(), table(), words().explained());
    }

    private String table() {
        Map<String, Integer> arrived = prints.prefixes();
        Set<String> prefixes = new LinkedHashSet<>();
        expectations.forEach(expectation -> prefixes.add(expectation.prefix()));
        prefixes.addAll(arrived.keySet());
        TextTable table = new TextTable("prefix", ">arrived", "expected", "dtype", "shape", "rule");
        prefixes.stream().limit(MOST_ROWS).forEach(prefix -> {
            List<PrintExpectation> same = expectations.stream()
                    .filter(expectation -> expectation.prefix().equals(prefix))
                    .toList();
            List<DevicePrint> group = prints.withPrefix(prefix).all();
            table.row(
                    PrintNames.quoted(prefix),
                    Integer.toString(group.size()),
                    PrintText.joined(same.stream()
                            .map(expectation ->
                                    expectation.number() + (prints.sources().isEmpty() ? "" : " by each rank"))
                            .toList()),
                    PrintText.joined(
                            group.stream().map(DevicePrint::dtype).distinct().toList()),
                    PrintText.joined(group.stream()
                            .map(print -> print.tensor().shapeText())
                            .distinct()
                            .toList()),
                    PrintText.joined(same.stream().map(PrintExpectation::words).toList()));
        });
        return table.within(TextTable.MESSAGE)
                + (prefixes.size() > MOST_ROWS ? "and %s more\n".formatted(prefixes.size() - MOST_ROWS) : "");
    }
}
