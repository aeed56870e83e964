package dev.neurontest.internal.profile.threshold;

import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.profile.ComparableExecutions;
import dev.neurontest.internal.profile.Doubts;
import dev.neurontest.internal.profile.table.RowsExpectation;
import dev.neurontest.internal.text.PathText;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.TableColumn;
import dev.neurontest.profile.TableRows;
import dev.neurontest.profile.TablesException;
import dev.neurontest.profile.TracedExecution;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * An expectation for the result of a query on the tables of a profile, for each execution. For a profile in doubt, only rows that must not
 * exist are judged.
 *
 * @param subject subject of messages
 * @param sql one SELECT
 * @param expectation the expected result
 * @param words the text of the user, for messages
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record SqlExpectation(String subject, String sql, RowsExpectation expectation, String words)
        implements Expectation<Profile> {

    private static final int SHOWN = 10;

    /** Kinds of failure that are mistakes in the query. They are violations, because another profile does not correct them. */
    private static final Set<TablesException.Kind> MISTAKES =
            EnumSet.of(TablesException.Kind.QUERY, TablesException.Kind.REFUSED);

    private static final Set<Unit> LAID_DOWN = EnumSet.of(Unit.BYTES, Unit.FLOPS, Unit.COUNT);

    /** The result of the query on the tables of an execution. */
    private record Answer(TracedExecution execution, TableRows rows, RowsExpectation.Outcome outcome) {}

    @Override
    public Judgement judge(Profile profile) {
        Optional<TracedExecution> without = profile.executions().stream()
                .filter(execution -> execution.tablesFolder().isEmpty())
                .findFirst();
        if (profile.executions().isEmpty() || without.isPresent()) {
            String doubts = Doubts.reasons(profile);
            return undecided(
                    !doubts.isEmpty()
                            ? doubts
                            : without.map(execution -> ProfileMessages.noTables(profile, execution))
                                    .orElseGet(() -> ProfileMessages.nothingTraced(profile)));
        }
        try {
            return judge(profile, answers(profile));
        } catch (TablesException e) {
            return isOfTheUser() && MISTAKES.contains(e.kind())
                    ? violated("no answer", "Correct the query. " + e.getMessage())
                    : undecided(e.getMessage());
        } catch (IllegalArgumentException mistake) {
            return violated("no answer that can be compared with a limit", mistake.getMessage());
        }
    }

    /**
     * Checks whether the user wrote the query. The queries of {@link ProfileQueries} might not match the schema of a tool, and users cannot
     * correct them.
     */
    public boolean isOfTheUser() {
        return subject.equals(sql);
    }

    /** Runs the query on each trace once. A trace of several graphs has one folder of tables. */
    private List<Answer> answers(Profile profile) {
        Map<Path, TracedExecution> traces = new LinkedHashMap<>();
        profile.executions().forEach(execution -> traces.putIfAbsent(execution.ntff(), execution));
        List<Answer> answers = new ArrayList<>();
        for (TracedExecution execution : traces.values()) {
            TableRows rows = execution.tables().orElseThrow().query(sql);
            answers.add(new Answer(execution, rows, expectation.judge(rows)));
        }
        return answers;
    }

    private Judgement judge(Profile profile, List<Answer> all) {
        boolean carriesTime = carriesTime(all.get(0).rows());
        String doubts = carriesTime ? Doubts.reasons(profile, Latency.TOTAL.metric()) : Doubts.reasons(profile);
        if (doubts.isEmpty() && (sql.toLowerCase(Locale.ROOT).contains("dma") || Doubts.isMadeOfDma(sql))) {
            doubts = Doubts.ofDma(profile);
        }
        if (!doubts.isEmpty() && !isFound(all)) {
            return undecided(doubts);
        }
        if (!carriesTime) {
            return judge(all);
        }
        Set<Path> counted = new HashSet<>();
        ComparableExecutions.of(profile.executions())
                .forEach(part -> part.without(Doubt.Kind.FIRST_EXECUTION)
                        .executions()
                        .forEach(execution -> counted.add(execution.ntff())));
        return judge(all.stream()
                .filter(answer -> counted.contains(answer.execution().ntff()))
                .toList());
    }

    private Judgement judge(List<Answer> answers) {
        Optional<Answer> broken = answers.stream()
                .filter(answer -> answer.outcome().state() == RowsExpectation.State.BROKEN)
                .max(Comparator.comparingDouble(answer -> answer.outcome().excess()));
        if (broken.isPresent()) {
            return violated(resultText(broken.get(), answers), evidence(broken.get()));
        }
        return answers.stream()
                .filter(answer -> answer.outcome().state() == RowsExpectation.State.OPEN)
                .findFirst()
                .map(open -> undecided("%s%n  %s"
                        .formatted(
                                isOfTheUser()
                                        ? "The query found %s.".formatted(resultText(open, answers))
                                        : "The tables do not contain the %s.".formatted(subject),
                                evidence(open))))
                .orElse(Judgement.NOTHING);
    }

    /**
     * Checks whether rows that must not exist, such as warnings, were found. They are reported even for a profile in doubt, because they
     * may be the cause of the doubt.
     */
    private boolean isFound(List<Answer> answers) {
        return expectation.rows().isPresent()
                && answers.stream().anyMatch(answer -> answer.outcome().state() == RowsExpectation.State.BROKEN);
    }

    /** Checks whether the result depends on time. A count, an amount of memory, or the existence of rows does not. */
    private boolean carriesTime(TableRows rows) {
        if (expectation.rows().isPresent()) {
            return false;
        }
        TableColumn column = rows.columns().get(0);
        return column.unit()
                .map(unit -> !LAID_DOWN.contains(unit))
                .orElse(!column.name().startsWith("count"));
    }

    /** Returns the result in words, such as {@code 1.8 ms in execution 2 on rank 3, the worst of 8; 2 of them break it}. */
    private static String resultText(Answer answer, List<Answer> all) {
        if (all.size() == 1) {
            return answer.outcome().actual();
        }
        boolean broken = answer.outcome().state() == RowsExpectation.State.BROKEN;
        long same = all.stream()
                .filter(each -> each.outcome().state() == answer.outcome().state())
                .count();
        return "%s in execution %s%s, %s of %s; %s of them %s"
                .formatted(
                        answer.outcome().actual(),
                        answer.execution().index(),
                        answer.execution().worker().isEmpty()
                                ? ""
                                : " on " + answer.execution().worker(),
                        broken ? "the worst" : "one",
                        all.size(),
                        same,
                        broken ? (same == 1 ? "breaks it" : "break it") : (same == 1 ? "is so" : "are so"));
    }

    private String evidence(Answer answer) {
        String query = isOfTheUser() ? "" : "Query: " + sql.strip().replaceAll("\\s+", " ") + "\n  ";
        return "%sTables: %s\n  Found:\n    %s"
                .formatted(
                        query,
                        PathText.of(answer.execution().tables().orElseThrow().folder()),
                        answer.rows().toText(SHOWN).strip().replace("\n", "\n    "));
    }

    private Judgement undecided(String reason) {
        return Judgement.of(new Undecided(words, subject, reason));
    }

    private Judgement violated(String actual, String advice) {
        return Judgement.of(new Violation(words, subject, expectation.words(), actual, advice));
    }
}
