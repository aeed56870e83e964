package dev.neurontest.internal.lease.table;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseTableStressTest {

    private static final int CORES = 12;

    @TempDir
    Path root;

    private NeuronHost host;
    private LeaseTable table;

    @BeforeEach
    void sixDevices() {
        host = new HostFixture(root)
                .devices(HostFixture.Kind.INF2, IntStream.range(0, CORES / 2).toArray())
                .host();
        table = LeaseTable.builder(host).open();
    }

    private static CoreRequest any(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> CoreRequest.inARow(1 + random.nextInt(5));
            case 1 -> CoreRequest.exactly(random.nextInt(CORES));
            case 2 -> CoreRequest.scattered(1 + random.nextInt(4));
            default -> CoreRequest.anyDevice();
        };
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void coresAreNeitherSharedNorLost(long seed) throws Exception {
        // then
        hammer(seed, 8, 800);
    }

    @ParameterizedTest
    @ValueSource(longs = 11)
    @Tag("stress")
    void coresAreNeitherSharedNorLostWithManyThreads(long seed) throws Exception {
        // then
        hammer(seed, 24, 1_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {12, 13, 14, 15})
    @Tag("long")
    void coresAreNeitherSharedNorLostOverManyRounds(long seed) throws Exception {
        // then
        hammer(seed, 24, 10_000);
    }

    /** Leases and returns cores on many threads, with short limits and interrupts for some. */
    private void hammer(long seed, int threads, int rounds) throws Exception {
        // given
        AtomicIntegerArray users = new AtomicIntegerArray(CORES);
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        List<Thread> running = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            Random random = new Random(seed * 1000 + thread);
            String holder = "holder " + thread;
            FutureTask<Integer> task = new FutureTask<>(() -> {
                int granted = 0;
                for (int round = 0; round < rounds; round++) {
                    granted += use(holder, random, users);
                }
                return granted;
            });
            tasks.add(task);
            running.add(new Thread(task, holder));
        }
        running.forEach(Thread::start);

        // when
        Random interrupts = new Random(seed);
        while (running.stream().anyMatch(Thread::isAlive)) {
            running.get(interrupts.nextInt(threads)).interrupt();
            TimeUnit.MICROSECONDS.sleep(200);
        }

        // then
        for (FutureTask<Integer> task : tasks) {
            assertThat(task.get()).isPositive();
        }
        assertThat(table.held()).isEmpty();
        try (Lease all = table.lease(new LeaseRequest("the last", List.of(CoreRequest.inARow(CORES))), Duration.ZERO)) {
            assertThat(all.cores()).isEqualTo(host.cores());
        }
    }

    private int use(String holder, Random random, AtomicIntegerArray users) {
        List<CoreRequest> requests = new ArrayList<>();
        requests.add(any(random));
        if (random.nextBoolean()) {
            requests.add(CoreRequest.any());
        }
        Duration atMost = random.nextInt(4) == 0 ? Duration.ofNanos(random.nextInt(100_000)) : Duration.ofMinutes(4);
        try (Lease lease = table.lease(new LeaseRequest(holder, requests), atMost)) {
            for (NeuronCore core : lease.cores()) {
                assertThat(users.incrementAndGet(core.index())).isEqualTo(1);
            }
            if (random.nextInt(3) == 0) {
                Thread.yield();
            }
            for (NeuronCore core : lease.cores()) {
                assertThat(users.decrementAndGet(core.index())).isZero();
            }
            return 1;
        } catch (InterruptedException | LeaseTimeoutException without) {
            return 0;
        }
    }

    /**
     * Compares each step with a second implementation of the rules. The served requests are the first that arrived, and
     * the next request cannot be served.
     */
    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24})
    void servesInTheOrderOfArrival(long seed) throws Exception {
        // given
        Random random = new Random(seed);
        List<WaiterFixture> arrived = new ArrayList<>();
        Map<Integer, Lease> open = new HashMap<>();
        int served = 0;

        for (int step = 0; step < 300; step++) {
            // when
            if (arrived.size() - served < 6 && random.nextInt(3) > 0) {
                arrived.add(new WaiterFixture(arrived.size(), any(random)));
            } else if (!open.isEmpty()) {
                List<Integer> holders = open.keySet().stream().sorted().toList();
                open.remove(holders.get(random.nextInt(holders.size()))).close();
            } else {
                continue;
            }

            // then
            for (Lease lease : table.held()) {
                int holder = Integer.parseInt(lease.holder());
                if (!open.containsKey(holder)) {
                    assertThat(holder).isEqualTo(served++);
                    open.put(holder, arrived.get(holder).get());
                    assertThat(open).containsEntry(holder, lease);
                }
            }
            if (served < arrived.size()) {
                assertThat(couldBeServed(arrived.get(served).request, free(open)))
                        .as("the first in the queue wants %s", arrived.get(served).request)
                        .isFalse();
            }
        }
    }

    private static BitSet free(Map<Integer, Lease> open) {
        BitSet free = new BitSet();
        free.set(0, CORES);
        open.values()
                .forEach(lease -> lease.cores().forEach(core -> {
                    assertThat(free.get(core.index())).isTrue();
                    free.clear(core.index());
                }));
        return free;
    }

    private static boolean couldBeServed(CoreRequest request, BitSet free) {
        if (request instanceof CoreRequest.InARow run) {
            return IntStream.rangeClosed(0, CORES - run.count())
                    .anyMatch(first -> free.nextClearBit(first) >= first + run.count());
        } else if (request instanceof CoreRequest.Exactly exactly) {
            return exactly.indices().stream().allMatch(free::get);
        } else if (request instanceof CoreRequest.Scattered some) {
            return free.cardinality() >= some.count();
        }
        return IntStream.range(0, CORES / 2).anyMatch(device -> free.get(2 * device) && free.get(2 * device + 1));
    }

    /** A request that is served or in the queue after its constructor. */
    private final class WaiterFixture {

        final CoreRequest request;
        private final FutureTask<Lease> lease;

        WaiterFixture(int number, CoreRequest request) {
            this.request = request;
            lease = new FutureTask<>(() ->
                    table.lease(new LeaseRequest(Integer.toString(number), List.of(request)), Duration.ofMinutes(4)));
            Thread thread = new Thread(lease);
            thread.setDaemon(true);
            thread.start();
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> lease.isDone()
                            || LockSupport.getBlocker(thread) instanceof AbstractQueuedSynchronizer.ConditionObject);
        }

        Lease get() throws InterruptedException, ExecutionException {
            return lease.get();
        }
    }
}
