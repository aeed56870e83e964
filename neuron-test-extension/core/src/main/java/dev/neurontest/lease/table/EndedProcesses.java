package dev.neurontest.lease.table;

import dev.neurontest.lease.DeadHolder;
import dev.neurontest.lease.store.LeasePrograms;
import dev.neurontest.lease.store.LeaseStore;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.process.orphan.Orphans;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * JVMs that have ended with leases, and processes that have ended after them. They ring no bell. So the first JVM in the
 * queue looks, or a JVM that finds that first one dead, and each JVM that joins.
 */
final class EndedProcesses {

    private final LeaseStore store;
    private final LeasePrograms programs;
    private final HostCores cores;
    private final LeaseNews news;
    private final Duration between;
    private long lookedAt;

    /**
     * No look has been taken yet.
     *
     * @param between how often it is worth looking
     */
    EndedProcesses(LeaseStore store, LeasePrograms programs, HostCores cores, LeaseNews news, Duration between) {
        this.store = store;
        this.programs = programs;
        this.cores = cores;
        this.news = news;
        this.between = between;
        this.lookedAt = System.nanoTime() - between.toNanos();
    }

    /** Looks when it is up to this JVM and was not done just now. */
    void lookWhenDue(TableChange change) {
        if (System.nanoTime() - lookedAt >= between.toNanos() / 2 && isUpToThisJvm(change.state)) {
            look(change);
        }
    }

    private boolean isUpToThisJvm(TableState state) {
        Optional<TableState.Member> first = state.head().flatMap(ticket -> state.member(ticket.member()));
        return first.isEmpty() || first.get().number() == store.self().number() || !lives(first.get());
    }

    /**
     * Looks.
     *
     * @return whether {@link #test} lets the next look find more
     */
    boolean look(TableChange change) {
        lookedAt = System.nanoTime();
        boolean[] isWithoutTest = {false};
        Predicate<TableState.Member> stays = member -> {
            if (lives(member)) {
                return true;
            }
            boolean isTested = change.state.claims().stream()
                    .filter(claim -> claim.member() == member.number())
                    .map(change.state::lock)
                    .filter(lock -> !programs.isTested(lock))
                    .toList()
                    .isEmpty();
            isWithoutTest[0] |= !isTested;
            return !isTested;
        };
        for (TableState.Death death : change.state.bury(stays, programs)) {
            DeadHolder dead = cores.dead(death);
            change.effects.add(() -> news.report(told -> told.holderDied(dead)));
            if (death.isQuarantined()) {
                change.concernsAll = true;
                change.effects.add(() -> news.add(() -> Orphans.end().reports().forEach(news::warn)));
            }
        }
        for (TableState.Barred entry : change.state.barred()) {
            isWithoutTest[0] |= !programs.isTested(entry.lock());
        }
        for (TableState.Barred over : change.state.endQuarantines(programs)) {
            change.cleared.put(over.number(), "its processes have ended");
        }
        return isWithoutTest[0];
    }

    /** Tests what looks were in need of, without the lock of the table. */
    void test() {
        programs.test();
    }

    private boolean lives(TableState.Member member) {
        return member.number() == store.self().number() || store.alive(member);
    }
}
