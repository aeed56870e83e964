package dev.neurontest.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.lease.LeaseObserver;
import dev.neurontest.lease.store.LockLimit;
import dev.neurontest.lease.store.MemoryStore;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.patience.Patience;
import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PassingOverTest {

    private final List<String> told = new ArrayList<>();
    private final LeaseNews news = new LeaseNews(new LeaseObserver() {
        @Override
        public void warned(String notice) {
            told.add(notice);
        }
    });
    private final MemoryStore store = new MemoryStore(new ProcessTable());
    private final long self = store.self().number();
    private final PassingOver passingOver = new PassingOver(self, news);
    private long other;
    private long now = Long.MAX_VALUE - 5_000_000_000L;

    @BeforeEach
    void anotherJvmThatCameFirst() {
        other = store.change(
                state -> state.join(new ProcessIdentity(4711, 1, "here", "me"), "token", "jvm-4711", Instant.EPOCH)
                        .number(),
                LockLimit.of(Patience.LIMIT));
        wait(other, "FirstTest.x()");
    }

    private TableState.Ticket wait(long member, String holder) {
        return store.change(
                state -> state.enqueue(member, holder, "4 cores", "main", 1, List.of()), LockLimit.of(Patience.LIMIT));
    }

    /** One look so long after the one before. */
    private void lookAfter(long nanos) {
        now += nanos;
        TableChange made = store.change(
                state -> {
                    TableChange change = new TableChange(state);
                    passingOver.look(change, now);
                    passingOver.tell(change);
                    return change;
                },
                LockLimit.of(Patience.LIMIT));
        made.effects.forEach(Runnable::run);
        news.tell();
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            lookAfter(PassingOver.BETWEEN.toNanos());
        }
    }

    private boolean isPassedOver() {
        return store.change(state -> state.isPassedOver(other), LockLimit.of(Patience.LIMIT));
    }

    @Test
    void passesOverAJvmThatDoesNotAnswer() {
        // given
        wait(self, "SecondTest.y()");
        look(PassingOver.LOOKS);
        assertThat(isPassedOver()).isFalse();
        assertThat(told).isEmpty();

        // when
        look(1);

        // then
        assertThat(isPassedOver()).isTrue();
        assertThat(told)
                .containsExactly("JVM 4711 does not answer and is passed over: FirstTest.x() waits there for 4 cores."
                        + " A debugger, a paused container or a signal stops it; it takes its turn when it goes on.");
    }

    @Test
    void saysSoOnceEachTime() {
        // given
        wait(self, "SecondTest.y()");
        look(2 * PassingOver.LOOKS);

        // when it goes on, and stops again
        store.change(state -> state.answer(other), LockLimit.of(Patience.LIMIT));
        look(2 * PassingOver.LOOKS);

        // then
        assertThat(isPassedOver()).isTrue();
        assertThat(told).hasSize(2);
    }

    @Test
    void beginsAnewWithEachAnswer() {
        // given
        wait(self, "SecondTest.y()");
        look(PassingOver.LOOKS);

        // when
        store.change(state -> state.answer(other), LockLimit.of(Patience.LIMIT));
        look(PassingOver.LOOKS);

        // then
        assertThat(isPassedOver()).isFalse();
    }

    @Test
    void countsLooksAtOnceAsOne() {
        // given
        wait(self, "SecondTest.y()");

        // when
        for (int i = 0; i < 100; i++) {
            lookAfter(1000);
        }

        // then
        assertThat(isPassedOver()).isFalse();
    }

    @Test
    void countsAJumpOfItsOwnClockAsOne() {
        // given
        wait(self, "SecondTest.y()");
        look(1);

        // when this JVM was stopped for an hour itself
        lookAfter(3_600_000_000_000L);

        // then
        assertThat(isPassedOver()).isFalse();
    }

    @Test
    void asksNobodyWhenNoTestOfItsOwnWaits() {
        // when
        look(2 * PassingOver.LOOKS);

        // then
        assertThat(store.<Boolean>change(state -> state.questions().isEmpty(), LockLimit.of(Patience.LIMIT)))
                .isTrue();
    }

    @Test
    void asksNobodyWhenItIsAtTheFrontItself() {
        // given a test that already holds cores goes first
        store.change(
                state -> state.enqueue(self, "Holder.y()", "4 cores", "main", 1, List.of(7L)),
                LockLimit.of(Patience.LIMIT));

        // when
        look(2 * PassingOver.LOOKS);

        // then
        assertThat(store.<Boolean>change(state -> state.questions().isEmpty(), LockLimit.of(Patience.LIMIT)))
                .isTrue();
    }

    @Test
    void doesNotNameThoseWhoCameLater() {
        // given
        wait(self, "SecondTest.y()");
        TableState.Ticket later = store.change(
                state -> {
                    state.leave(other);
                    return state.enqueue(
                            state.join(new ProcessIdentity(4712, 1, "here", "me"), "token", "jvm-4712", Instant.EPOCH)
                                    .number(),
                            "ThirdTest.z()",
                            "1 core",
                            "main",
                            1,
                            List.of());
                },
                LockLimit.of(Patience.LIMIT));
        long last = store.<Long>change(
                state -> state.join(new ProcessIdentity(4713, 1, "here", "me"), "token", "jvm-4713", Instant.EPOCH)
                        .number(),
                LockLimit.of(Patience.LIMIT));
        wait(last, "FourthTest.z()");

        // when
        store.change(
                state -> {
                    state.passOver(state.ask(later.member()));
                    return state;
                },
                LockLimit.of(Patience.LIMIT));
        look(1);

        // then
        assertThat(told).isEmpty();
    }
}
