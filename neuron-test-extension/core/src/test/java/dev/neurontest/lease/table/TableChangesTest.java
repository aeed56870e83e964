package dev.neurontest.lease.table;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.neurontest.lease.LeaseObserver;
import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.lease.store.LockLimit;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.patience.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

/** How one JVM changes a table that it shares. */
class TableChangesTest {

    private final List<String> told = new ArrayList<>();
    private final List<String> order = new ArrayList<>();
    private final LeaseNews news = new LeaseNews(new LeaseObserver() {
        @Override
        public void warned(String notice) {
            told.add(notice);
        }
    });
    private final SharedStoreFixture store = new SharedStoreFixture();
    private final TableChanges changes =
            new TableChanges(store, Patience.LIMIT, news, change -> order.add("following"));

    private static boolean onAnotherThread(Runnable what) throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(what, true);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void enqueue(TableChange change, String holder) {
        change.state.enqueue(store.self().number(), holder, "1 core", "main", 1, List.of());
    }

    private List<String> queue() {
        return store.state().queue().stream().map(TableState.Ticket::holder).toList();
    }

    /** Makes a change as a table does, and tells the news. */
    private void makeConcerningAll(boolean concernsAll) {
        changes.locked(() -> changes.make(change -> {
            change.concernsAll = concernsAll;
            return change;
        }));
    }

    @Test
    void areWrittenBeforeTheirEffectsAndWithWhatFollows() {
        // when
        String result = changes.locked(() -> changes.make(change -> {
            enqueue(change, "test");
            order.add("step");
            change.effects.add(() -> order.add("effect after " + queue()));
            return "done";
        }));

        // then
        assertThat(result).isEqualTo("done");
        assertThat(order).containsExactly("step", "following", "effect after [test]");
        assertThat(changes.state().queue()).hasSize(1);
    }

    @Test
    void areMadeByOneThreadAtATime() throws Exception {
        // given
        changes.lock();
        FutureTask<Boolean> waiting = new FutureTask<>(() -> changes.locked(() -> order.add("other")));
        Thread thread = new Thread(waiting);
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.WAITING);

        // when
        order.add("this");
        changes.unlock();

        // then
        assertThat(waiting.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsExactly("this", "other");
    }

    @Test
    void letOthersInForWhatIsDoneOutside() throws Exception {
        // given
        List<Boolean> in = new ArrayList<>();

        // when
        changes.locked(() -> {
            changes.outside(() -> {
                try {
                    in.add(onAnotherThread(() -> changes.locked(() -> order.add("other"))));
                } catch (Exception failed) {
                    throw new IllegalStateException(failed);
                }
            });
            return order.add("this");
        });

        // then
        assertThat(in).containsExactly(true);
        assertThat(order).containsExactly("other", "this");
        assertThat(onAnotherThread(() -> changes.locked(() -> order.add("next"))))
                .isTrue();
    }

    @Test
    void letOthersInWhileAnotherJvmHasTheTableLocked() throws Exception {
        // given a thread that waits for the table, in the middle of its own work
        store.locked = true;
        FutureTask<Integer> waiting = new FutureTask<>(() -> changes.locked(() -> changes.locked(() -> {
            changes.write(change -> enqueue(change, "patient"));
            order.add("patient");
            return order.size();
        })));
        Thread thread = new Thread(waiting);
        thread.setDaemon(true);
        thread.start();

        // when another thread of this JVM has less time
        boolean[] written = {true};
        await().until(() -> onAnotherThread(() -> changes.locked(() -> {
            written[0] = changes.write(change -> enqueue(change, "hasty"), changes.limit(LockLimit.SHORTEST, false));
            return order.add("hasty");
        })));

        // then
        assertThat(written).containsExactly(false);
        assertThat(order).containsExactly("hasty");

        // when
        store.locked = false;

        // then what could not be written is written once, with the next change
        assertThat(waiting.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isPositive();
        assertThat(queue()).containsExactly("hasty", "patient");
    }

    @Test
    void endWithTheTableAlsoDuringAPause() throws Exception {
        // given
        store.locked = true;
        List<Thread> waiting = new CopyOnWriteArrayList<>();
        FutureTask<Boolean> late = new FutureTask<>(() -> changes.locked(() -> {
            waiting.add(Thread.currentThread());
            return changes.make(change -> order.add("late"));
        }));
        Thread thread = new Thread(late);
        thread.setDaemon(true);
        thread.start();
        await().until(() -> !waiting.isEmpty());

        // when
        changes.locked(() -> {
            changes.close();
            return true;
        });
        store.locked = false;

        // then
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> late.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .havingRootCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessage("the lease table is closed");
        assertThat(order).isEmpty();
    }

    @Test
    void haveTheLockAgainAfterWhatFailsOutside() {
        // then
        assertThatIllegalStateException()
                .isThrownBy(() -> changes.locked(() -> {
                    changes.outside(() -> {
                        throw new IllegalStateException("it fails");
                    });
                    return true;
                }))
                .withMessage("it fails");
    }

    @Test
    void haveConditionsOfTheirLock() {
        // given
        Condition condition = changes.condition();

        // then
        assertThat(changes.locked(() -> {
                    condition.signal();
                    return "signalled";
                }))
                .isEqualTo("signalled");
    }

    @Test
    void areToldWithTheLastLock() {
        // when
        changes.locked(() -> {
            changes.locked(() -> {
                news.warn("news");
                return true;
            });
            assertThat(told).isEmpty();
            return true;
        });

        // then
        assertThat(told).containsExactly("news");
    }

    @Test
    void endWhenTheyAreClosedButForWhatEndsThings() {
        // given
        assertThat(changes.isClosed()).isFalse();

        // when
        changes.close();

        // then
        assertThat(changes.isClosed()).isTrue();
        assertThatIllegalStateException()
                .isThrownBy(() -> changes.make(change -> change))
                .withMessage("the lease table is closed");
        assertThat(changes.write(change -> enqueue(change, "the last"))).isTrue();
        assertThat(queue()).containsExactly("the last");
    }

    @Test
    void thatCannotBeWrittenAreMadeWithTheNextInTheirOrder() {
        // given
        assertThat(changes.isAllWritten()).isTrue();
        store.outOfOrder = true;

        // when
        assertThat(changes.write(change -> enqueue(change, "first"))).isFalse();
        assertThat(changes.write(change -> enqueue(change, "second"))).isFalse();
        news.tell();

        // then
        assertThat(changes.isAllWritten()).isFalse();
        assertThat(told)
                .containsExactly("What was given back could not be written down and others do not see it yet;"
                        + " that is tried again. the table is out of order");
        assertThatExceptionOfType(LeaseTableException.class).isThrownBy(() -> changes.make(change -> change));

        // when
        store.outOfOrder = false;
        assertThat(changes.write(change -> enqueue(change, "third"))).isTrue();

        // then
        assertThat(changes.isAllWritten()).isTrue();
        assertThat(queue()).containsExactly("first", "second", "third");

        // when
        makeConcerningAll(false);

        // then it was made once
        assertThat(queue()).containsExactly("first", "second", "third");
    }

    @Test
    void thatCannotBeWrittenAreWarnedOfOnceEachTime() {
        // given
        store.outOfOrder = true;
        changes.write(change -> {});
        store.outOfOrder = false;
        makeConcerningAll(false);
        assertThat(told).hasSize(1);

        // when
        store.outOfOrder = true;
        changes.write(change -> {});
        news.tell();

        // then
        assertThat(told).hasSize(2);
    }

    @Test
    void ofAJvmThatWasPassedOverSaySo() {
        // given
        store.change(state -> {
            state.passOver(state.ask(store.self().number()));
            return state;
        });

        // when
        makeConcerningAll(false);
        makeConcerningAll(false);

        // then
        assertThat(store.state().questions()).isEmpty();
        assertThat(told)
                .singleElement()
                .satisfies(notice ->
                        assertThat(notice).startsWith("This JVM did not answer for a while and was passed over"));
    }

    @Test
    void answerAQuestionInTimeWithoutAWord() {
        // given
        store.change(state -> state.ask(store.self().number()));

        // when
        makeConcerningAll(false);

        // then
        assertThat(store.state().questions()).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void wakeTheJvmInFrontWhereThereIsRoom() {
        // given
        TableState.Member first = store.join(999_999_997);
        TableState.Member second = store.join(999_999_998);
        TableState.Ticket gone = store.enqueue(store.self(), "gone");
        store.enqueue(first, "first");
        store.enqueue(second, "second");

        // when
        changes.locked(() -> changes.make(change -> {
            change.state.withdraw(gone.number());
            return change;
        }));

        // then
        assertThat(store.rung).containsExactly(first.number());
    }

    @Test
    void wakeNoJvmWhereThereIsNoRoom() {
        // given
        store.enqueue(store.join(999_999_997), "first");

        // when
        makeConcerningAll(false);

        // then
        assertThat(store.rung).isEmpty();
    }

    @Test
    void wakeEachJvmThatWaitsWhereTheyConcernAllButThisOne() {
        // given
        TableState.Member first = store.join(999_999_997);
        TableState.Member second = store.join(999_999_998);
        store.join(999_999_996);
        store.enqueue(first, "first");
        store.enqueue(store.self(), "mine");
        store.enqueue(second, "second");
        store.enqueue(second, "third");

        // when
        makeConcerningAll(true);

        // then
        assertThat(store.rung).containsExactlyInAnyOrder(first.number(), second.number());
    }

    @Test
    void ringNoBellOfThisJvm() {
        // given
        TableState.Ticket gone = store.enqueue(store.self(), "gone");
        store.enqueue(store.self(), "mine");

        // when
        changes.locked(() -> changes.make(change -> {
            change.state.withdraw(gone.number());
            return change;
        }));

        // then
        assertThat(store.rung).isEmpty();
    }
}
