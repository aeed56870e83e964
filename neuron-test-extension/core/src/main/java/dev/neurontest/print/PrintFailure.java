package dev.neurontest.print;

import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.JudgementText;
import dev.neurontest.text.TextTable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;

/** Why a test fails because of its prints: what was demanded beside what arrived, and what to do. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PrintFailure {

    private static final int MOST_ROWS = 40;

    private final DevicePrints prints;
    private final List<PrintDemand> demands;
    private final JudgementText words;

    private PrintFailure(DevicePrints prints, List<PrintDemand> demands, Judgement judgement) {
        this.prints = prints;
        this.demands = demands;
        this.words = new JudgementText(judgement);
    }

    /**
     * Judges and puts into words.
     *
     * @param rules what is demanded
     * @param prints what arrived
     * @return what was found, which may be nothing
     */
    public static PrintFailure judged(PrintRules rules, DevicePrints prints) {
        DevicePrints arrived = prints.frozen();
        return new PrintFailure(arrived, rules.demands(), rules.judge(arrived));
    }

    /**
     * What the test fails with. Its expected and actual values have one line for each demand, so that an IDE shows them side by
     * side.
     *
     * @return the error
     */
    public AssertionFailedError toError() {
        return new AssertionFailedError(text(), expected(), actual());
    }

    /**
     * Whether there is anything to fail with.
     *
     * @return false when nothing is violated and nothing undecided
     */
    public boolean isFailure() {
        return words.isFailure();
    }

    /**
     * What was found.
     *
     * @return with notices
     */
    public Judgement judgement() {
        return words.judgement();
    }

    /**
     * The demands.
     *
     * @return one a line
     */
    public String expected() {
        return words.expected();
    }

    /**
     * What was there instead.
     *
     * @return the same lines as the demands
     */
    public String actual() {
        return words.actual();
    }

    /**
     * The message: headline, table of what arrived beside what was demanded, and what to do.
     *
     * @return lines of text
     */
    public String text() {
        return "Device prints: %s\n\n%s%s".formatted(words.found(), table(), words.explained());
    }

    private String table() {
        Map<String, Integer> arrived = prints.prefixes();
        Set<String> prefixes = new LinkedHashSet<>();
        demands.forEach(demand -> prefixes.add(demand.prefix()));
        prefixes.addAll(arrived.keySet());
        TextTable table = new TextTable("prefix", ">arrived", "demanded", "dtype", "shape", "rule");
        prefixes.stream().limit(MOST_ROWS).forEach(prefix -> {
            List<PrintDemand> same = demands.stream()
                    .filter(demand -> demand.prefix().equals(prefix))
                    .toList();
            List<DevicePrint> group = prints.withPrefix(prefix).all();
            table.row(
                    PrintNames.quoted(prefix),
                    Integer.toString(group.size()),
                    PrintText.joined(same.stream().map(PrintDemand::number).toList()),
                    PrintText.joined(
                            group.stream().map(DevicePrint::dtype).distinct().toList()),
                    PrintText.joined(group.stream()
                            .map(print -> print.tensor().shapeText())
                            .distinct()
                            .toList()),
                    PrintText.joined(same.stream().map(PrintDemand::words).toList()));
        });
        return table + (prefixes.size() > MOST_ROWS ? "and %d more\n".formatted(prefixes.size() - MOST_ROWS) : "");
    }
}
