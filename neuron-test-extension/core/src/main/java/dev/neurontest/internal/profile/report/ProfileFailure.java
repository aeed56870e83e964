package dev.neurontest.internal.profile.report;

import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.profile.threshold.ThresholdOutcome;
import dev.neurontest.internal.text.PathText;
import dev.neurontest.internal.text.TextTable;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import dev.neurontest.profile.TracedExecution;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The failure of a test because of its profile. It contains every threshold with its value and margin, advice, and the files with more
 * details.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfileFailure extends Failure {

    private final Profile profile;
    private final List<ThresholdOutcome> outcomes;

    /**
     * Creates a failure of an already judged profile.
     *
     * @param outcomes one outcome for each threshold
     */
    public ProfileFailure(Profile profile, List<ThresholdOutcome> outcomes) {
        super(ProfileExpectations.judge(profile, outcomes));
        this.profile = profile;
        this.outcomes = outcomes;
    }

    /**
     * Judges a profile and creates the failure.
     *
     * @return the failure, which may contain no findings
     */
    public static ProfileFailure judged(ProfileExpectations rules, Profile profile) {
        return new ProfileFailure(profile, rules.outcomes(profile));
    }

    @Override
    public String text() {
        String table = outcomes.isEmpty() ? "" : "\n" + table();
        return "%sProfile of %s by %s: %s\n%s%s%s"
                .formatted(
                        words().headline(),
                        profile.title(),
                        profile.tool(),
                        words().found(),
                        table,
                        words().explained(),
                        locations());
    }

    private String table() {
        TextTable table = new TextTable("metric", ">value", "limit", "margin", "over", "", "rule");
        outcomes.forEach(each -> table.row(
                each.metric(),
                each.value().isEmpty() && each.violation().isPresent() ? "absent" : each.shown(),
                each.limit(),
                each.margin(),
                each.over(),
                each.word(),
                each.rule()));
        return table.within(TextTable.MESSAGE).toString();
    }

    /** Returns the trace that decided the result, or else the first trace, with its folder and the command of its viewer. */
    private String locations() {
        StringBuilder text = new StringBuilder();
        Optional<TracedExecution> trace = Stream.concat(
                        outcomes.stream()
                                .filter(outcome -> !outcome.isKept())
                                .flatMap(outcome -> outcome.trace().stream()),
                        profile.executions().stream())
                .findFirst();
        trace.ifPresent(it -> text.append("\nTrace: ").append(PathText.of(it.ntff())));
        text.append("\nFolder: ").append(PathText.of(profile.folder())).append('\n');
        trace.flatMap(it -> profile.viewCommand(it, "--output-format", "summary-text"))
                .ifPresent(command -> text.append("To see its summary again:\n  ")
                        .append(command)
                        .append('\n'));
        return text.toString();
    }
}
