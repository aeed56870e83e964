package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.store.CoreSlots.Content;
import dev.neurontest.internal.lease.store.LeaseState.Claim;
import dev.neurontest.internal.lease.store.LeaseState.EndedLease;
import dev.neurontest.internal.lease.store.LeaseState.QuarantineEntry;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProgramLock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoreSlotsTest {

    private static final String NAMESPACE = "9b2d6a1c-5a3e-4c1e-8f0e-3f6d2b1a0c4d/4026531836";
    private static final ProcessIdentity JVM = new ProcessIdentity(4711, 123_456_789, NAMESPACE, "1000");

    private final Slots slots = new MemorySlots() {
        @Override
        public boolean isShared() {
            return true;
        }
    };

    private final CoreSlots cores = new CoreSlots(slots);

    /** The slots of another JVM, which reads the writes of this one. */
    private final CoreSlots another = new CoreSlots(slots);

    private static List<String> cores(int count) {
        return IntStream.range(0, count)
                .mapToObj(core -> "neuron%s/neuron_core%s".formatted(core / 8, core % 8))
                .toList();
    }

    private static Claim claim(List<String> cores, int processes) {
        return new Claim(
                1,
                "jvm-4711-123456789-1",
                JVM,
                "CollectivesTest > reducesOverAllCores(List)",
                "main",
                1,
                1,
                Instant.EPOCH,
                cores,
                List.of(),
                false,
                LongStream.range(0, processes)
                        .mapToObj(pid -> new ProcessIdentity(5000 + pid, 123_456_800 + pid, NAMESPACE, "1000"))
                        .toList());
    }

    @Test
    void keepsEachProcessOfALeaseOfAllCores() {
        // given
        Claim claim = claim(cores(128), 64);
        assertThat(cores.take(claim)).isEmpty();

        // then a JVM that ends the lease of a killed JVM finds all its processes
        CoreSlots.slots(claim.cores())
                .forEach(slot ->
                        assertThat(another.content(slot).claim().processes()).hasSize(64));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 497, Long.MAX_VALUE})
    void findsLeasesWhenUsedSlotCountIsDamaged(long damaged) {
        // given
        assertThat(cores.take(claim(cores(9), 0))).isEmpty();

        // when
        slots.set(CoreSlots.USED, damaged);

        // then
        assertThat(another.state(List.of()).taken()).hasSize(9).contains("neuron1/neuron_core0");

        // when
        assertThat(another.take(claim(List.of("neuron0/neuron_core9"), 0))).isEmpty();

        // then
        assertThat(another.state(List.of()).taken()).hasSize(10).contains("neuron1/neuron_core0");
        assertThat(slots.get(CoreSlots.USED)).isEqualTo(17);
    }

    @Test
    void keepsInMemoryLeaseReadDuringWrite() {
        // given a thread that begins to read when a word is written, and ends when all is written
        Thread writer = Thread.currentThread();
        List<CoreSlots> reader = new ArrayList<>();
        List<CompletableFuture<Void>> reads = new ArrayList<>();
        CompletableFuture<Void> reading = new CompletableFuture<>();
        CompletableFuture<Void> written = new CompletableFuture<>();
        CoreSlots inMemory = new CoreSlots(new MemorySlots() {
            @Override
            public void set(long position, long value) {
                super.set(position, value);
                reads.add(CompletableFuture.runAsync(() -> reader.get(0).state(List.of())));
                CompletableFuture.anyOf(reads.get(0), reading).join();
            }

            @Override
            public byte[] read(long position, int length) {
                if (Thread.currentThread() != writer) {
                    reading.complete(null);
                    written.join();
                }
                return super.read(position, length);
            }
        });
        reader.add(inMemory);

        // when
        assertThat(inMemory.take(claim(cores(1), 0))).isEmpty();
        written.complete(null);
        reads.forEach(CompletableFuture::join);

        // then
        assertThat(inMemory.kept(claim(cores(1), 0))).isEqualTo(CoreSlots.slots(cores(1)));
        assertThat(inMemory.state(List.of()).claims()).hasSize(1);
    }

    @Test
    void countsASlotBeforeItIsWritten() {
        // given another JVM that reads after each word
        List<Integer> seen = new ArrayList<>();
        CoreSlots writer = new CoreSlots(new MemorySlots() {
            @Override
            public boolean isShared() {
                return true;
            }

            @Override
            public void set(long position, long value) {
                super.set(position, value);
                seen.add(new CoreSlots(this).state(List.of()).taken().size());
            }
        });

        // when
        assertThat(writer.take(claim(cores(3), 0))).isEmpty();

        // then
        assertThat(seen).containsExactly(1, 2, 3);
    }

    @Test
    void findsLeaseOfCoreWithHighestNumber() {
        // given
        assertThat(another.take(claim(List.of("neuron30/neuron_core15"), 0))).isEmpty();
        assertThat(cores.take(claim(cores(1), 0))).isEmpty();

        // then
        assertThat(another.state(List.of()).taken())
                .containsExactlyInAnyOrder("neuron0/neuron_core0", "neuron30/neuron_core15");
    }

    @Test
    void keepsLastNeighboursWhenSlotIsFull() {
        // given
        int slot = CoreSlots.slots(cores(1)).get(0);
        List<EndedLease> past = LongStream.rangeClosed(1, CoreSlots.REMEMBERED)
                .mapToObj(ended -> new EndedLease(ended, ended, 4711, "another test", cores(127), List.of()))
                .toList();

        // when
        cores.write(slot, Content.NONE.after(past));

        // then
        List<EndedLease> kept = another.content(slot).past();
        assertThat(kept).hasSizeGreaterThan(1).isEqualTo(past.subList(past.size() - kept.size(), past.size()));
    }

    @Test
    void hasASlotForEachCoreOfEachDevice() {
        // given
        int first = CoreSlots.slots(cores(1)).get(0);

        // then
        assertThat(CoreSlots.slots(List.of("neuron30/neuron_core15", "neuron1/neuron_core2+neuron1/neuron_core3")))
                .containsExactly(first + 18, first + 19, first + 495);
        assertThat(CoreSlots.nameOf(first + 18)).isEqualTo("neuron1/neuron_core2");
        assertThat(CoreSlots.device(first + 18))
                .hasSize(16)
                .startsWith(first + 16)
                .endsWith(first + 31);
    }

    @ParameterizedTest
    @ValueSource(strings = {"neuron31/neuron_core0", "neuron0/neuron_core16", "gpu0"})
    void refusesCoreNameWithoutSlot(String name) {
        // then
        assertThatExceptionOfType(LeaseTableException.class)
                .isThrownBy(() -> CoreSlots.slots(List.of(name)))
                .withMessage("The lease table has no slot for a core with the name " + name);
    }

    @Test
    void locksNoSlotWhenOneIsLocked() {
        // given
        List<Integer> both = CoreSlots.slots(cores(2));
        assertThat(cores.lock(both.subList(1, 2))).isEmpty();

        // then
        assertThat(cores.lock(both)).contains(both.get(1));
        assertThat(cores.isLocked(both.subList(0, 1))).isFalse();
    }

    @Test
    void refusesCoresWhenOneHasUnlockedLease() {
        // given a lease of an ended JVM
        Claim ended = claim(List.of("neuron0/neuron_core1"), 0);
        assertThat(another.take(ended)).isEmpty();
        another.unlock(CoreSlots.slots(ended.cores()));
        assertThat(another.kept(ended)).isEmpty();
        assertThat(another.isLeasedBy(CoreSlots.slots(ended.cores()).get(0), ended.jvm()))
                .isFalse();

        // then
        assertThat(cores.take(claim(cores(2), 0))).contains("neuron0/neuron_core1");
        assertThat(cores.isLocked(CoreSlots.slots(cores(2)))).isFalse();
        assertThat(cores.state(List.of()).taken()).containsExactly("neuron0/neuron_core1");
    }

    @Test
    void keepsLastProcessesAndQuarantinesWhenSlotIsFull() {
        // given
        int slot = CoreSlots.slots(cores(1)).get(0);
        Claim claim = claim(cores(1), 1000);
        List<QuarantineEntry> barred = IntStream.range(0, 6)
                .mapToObj(each -> claim.outlivedBy(
                        new LeasePrograms.Remaining(claim.processes(), ProgramLock.State.HELD), "r" + each))
                .flatMap(List::stream)
                .toList();

        // when
        cores.write(slot, Content.NONE.with(claim).with(barred));

        // then
        Content kept = another.content(slot);
        List<ProcessIdentity> few = claim.processes().subList(996, 1000);
        assertThat(kept.claim().processes()).isEqualTo(few);
        assertThat(kept.barred())
                .extracting(QuarantineEntry::reason, QuarantineEntry::processes)
                .containsExactly(tuple("r2", few), tuple("r3", few), tuple("r4", few), tuple("r5", few));
    }
}
