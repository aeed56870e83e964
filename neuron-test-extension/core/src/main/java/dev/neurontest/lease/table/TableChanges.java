package dev.neurontest.lease.table;

import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.lease.store.LeaseStore;
import dev.neurontest.lease.store.LockLimit;
import dev.neurontest.lease.store.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * How this JVM changes the table: one thread at a time, and what could not be written down together with the next change. After
 * each change the same things follow from it.
 */
final class TableChanges {

    private final LeaseStore store;
    private final LockLimit limit;
    private final LeaseNews news;
    private final Consumer<TableChange> following;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Consumer<TableChange>> unwritten = new ArrayList<>();
    private boolean warnedOfUnwritten;
    private boolean closed;

    /**
     * Nothing is changed yet.
     *
     * @param atMost how long a change waits for another JVM that has the table locked, unless it says so itself
     */
    TableChanges(LeaseStore store, Duration atMost, LeaseNews news, Consumer<TableChange> following) {
        this.store = store;
        this.limit = limit(atMost, false);
        this.news = news;
        this.following = following;
    }

    Condition condition() {
        return lock.newCondition();
    }

    void lock() {
        lock.lock();
    }

    /** Tells the news with the last lock. */
    void unlock() {
        lock.unlock();
        if (!lock.isHeldByCurrentThread()) {
            news.tell();
        }
    }

    <T> T locked(Supplier<T> what) {
        lock();
        try {
            return what.get();
        } finally {
            unlock();
        }
    }

    /** Does something without the lock, which the thread has once. */
    void outside(Runnable what) {
        lock.unlock();
        try {
            what.run();
        } finally {
            lock.lock();
        }
    }

    /** Returns a limit of the wait for another JVM that has the table locked. */
    LockLimit limit(Duration atMost, boolean interruptible) {
        return new LockLimit(atMost, interruptible, this::pause);
    }

    /** Gives the lock to other threads meanwhile: each of them has a limit of its own. */
    private void pause(long nanos) {
        int holds = lock.getHoldCount();
        for (int i = 0; i < holds; i++) {
            lock.unlock();
        }
        try {
            news.tell();
            LockSupport.parkNanos(nanos);
        } finally {
            for (int i = 0; i < holds; i++) {
                lock.lock();
            }
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** From now on there are no changes but what ends things. */
    void close() {
        closed = true;
    }

    boolean isAllWritten() {
        return unwritten.isEmpty();
    }

    /** Returns the table as it is, for which the lock is not needed. */
    TableState state() {
        return state(limit);
    }

    /** Returns the table as it is, for which the lock is not needed. */
    TableState state(LockLimit limit) {
        return store.change(state -> state, limit);
    }

    /** Changes the table, together with what could not be written before. */
    <T> T make(Function<TableChange, T> step) {
        return make(step, limit);
    }

    /** Changes the table, together with what could not be written before. */
    <T> T make(Function<TableChange, T> step, LockLimit limit) {
        requireOpen();
        return makeEvenClosed(
                change -> {
                    requireOpen();
                    return step.apply(change);
                },
                limit);
    }

    /** Refuses what comes after the end, also when that came during a pause. */
    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the lease table is closed");
        }
    }

    private <T> T makeEvenClosed(Function<TableChange, T> step, LockLimit limit) {
        List<Consumer<TableChange>> late = new ArrayList<>();
        List<Runnable> effects = new ArrayList<>();
        T result = store.change(
                state -> {
                    late.addAll(unwritten);
                    TableChange change = new TableChange(state);
                    answer(change);
                    late.forEach(each -> each.accept(change));
                    T of = step.apply(change);
                    following.accept(change);
                    ring(change);
                    effects.addAll(change.effects);
                    return of;
                },
                limit);
        unwritten.subList(0, late.size()).clear();
        warnedOfUnwritten &= !unwritten.isEmpty();
        effects.forEach(Runnable::run);
        return result;
    }

    /** This JVM still runs. If it did not for a while, tests of other JVMs were served before its own. */
    private void answer(TableChange change) {
        change.state
                .answer(store.self().number())
                .filter(TableState.Question::passedOver)
                .ifPresent(
                        late -> change.effects.add(
                                () -> news.warn(
                                        "This JVM did not answer for a while and was passed over: tests of other JVMs got cores before its own. It is back at its place in the queue.")));
    }

    /** Changes the table at once or, when that fails, together with the next change; then it is false. */
    boolean write(Consumer<TableChange> step) {
        return write(step, limit);
    }

    /** Changes the table at once or, when that fails, together with the next change; then it is false. */
    boolean write(Consumer<TableChange> step, LockLimit limit) {
        try {
            makeEvenClosed(
                    change -> {
                        step.accept(change);
                        return change;
                    },
                    limit);
            return true;
        } catch (LeaseTableException failed) {
            unwritten.add(step);
            if (!warnedOfUnwritten) {
                warnedOfUnwritten = true;
                news.warn(
                        "What was given back could not be written down and others do not see it yet; that is tried again. "
                                + failed.getMessage());
            }
            return false;
        }
    }

    /** Wakes the JVM that is to be served next, or all JVMs that wait when each has to look again. */
    private void ring(TableChange change) {
        TableState state = change.state;
        Set<Long> waitingMembers = new HashSet<>();
        if (change.concernsAll) {
            state.queue().forEach(ticket -> waitingMembers.add(ticket.member()));
        } else if (state.roomMade()) {
            state.head().ifPresent(ticket -> waitingMembers.add(ticket.member()));
        }
        waitingMembers.remove(store.self().number());
        waitingMembers.forEach(number ->
                state.member(number).ifPresent(member -> change.effects.add(() -> news.add(() -> store.ring(member)))));
    }
}
