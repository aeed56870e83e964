package dev.neurontest.lease.table;

import dev.neurontest.lease.store.TableState;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks the JVM at the front of the queue whether it still runs, and passes it over when it does not answer: only the JVM itself can
 * take its turn, and one that is stopped by a debugger, with its container or by a signal would hold up all others.
 *
 * <p>How long an answer takes is counted in looks of this JVM. So neither the clock of another process nor a jump of this JVM's own
 * matters, and when the whole machine stood still, the other one has its time again.
 */
final class PassingOver {

    /** As many looks without an answer are enough. A JVM that runs answers at its next look, within 0.3 s. */
    static final int LOOKS = 10;

    /** Looks that follow each other faster count as one. */
    static final Duration BETWEEN = Duration.ofMillis(250);

    private final long self;
    private final LeaseNews news;
    private final Map<Long, Unanswered> unanswered = new HashMap<>();
    private final Set<Long> told = new HashSet<>();

    /** How often a question was seen without an answer, the last time at a moment of this JVM's clock. */
    private record Unanswered(int looks, long at) {

        Unanswered seen(long now) {
            return now - at < BETWEEN.toNanos() ? this : new Unanswered(looks + 1, now);
        }
    }

    /**
     * No JVM has been asked yet.
     *
     * @param self this JVM's number
     * @param news hears who is passed over
     */
    PassingOver(long self, LeaseNews news) {
        this.self = self;
        this.news = news;
    }

    /** Looks at the front of the queue, where a JVM behind it waits. */
    void look(TableChange change, long now) {
        TableState state = change.state;
        List<TableState.Ticket> front = state.front();
        boolean behind = state.queue().stream().anyMatch(ticket -> ticket.member() == self)
                && front.stream().noneMatch(ticket -> ticket.member() == self);
        Set<Long> open = new HashSet<>();
        if (behind) {
            front.stream().mapToLong(TableState.Ticket::member).distinct().forEach(member -> {
                TableState.Question question = state.ask(member);
                open.add(question.number());
                Unanswered seen = unanswered
                        .getOrDefault(question.number(), new Unanswered(0, now))
                        .seen(now);
                unanswered.put(question.number(), seen);
                if (seen.looks() >= LOOKS) {
                    state.passOver(question);
                }
            });
        }
        unanswered.keySet().retainAll(open);
    }

    /** Names to the tests of this JVM those before them that are passed over, before any of them is served. */
    void tell(TableChange change) {
        TableState state = change.state;
        if (state.questions().isEmpty()) {
            told.clear();
            return;
        }
        long last = state.queue().stream()
                .filter(ticket -> ticket.member() == self)
                .mapToLong(TableState.Ticket::number)
                .max()
                .orElse(0);
        for (TableState.Question question : state.questions()) {
            if (question.passedOver() && !told.contains(question.number())) {
                state.queue().stream()
                        .filter(ticket -> ticket.member() == question.member() && ticket.number() < last)
                        .findFirst()
                        .ifPresent(ticket -> tell(change, question, ticket));
            }
        }
        told.retainAll(
                state.questions().stream().map(TableState.Question::number).toList());
    }

    private void tell(TableChange change, TableState.Question unanswered, TableState.Ticket ticket) {
        long pid = change.state.member(ticket.member()).orElseThrow().process().pid();
        change.effects.add(() -> {
            told.add(unanswered.number());
            news.warn(
                    "JVM %s does not answer and is passed over: %s waits there for %s. A debugger, a paused container or a signal stops it; it takes its turn when it goes on."
                            .formatted(pid, ticket.holder(), ticket.wants()));
        });
    }
}
