package dev.neurontest.lease.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.lease.DeviceReading;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.lease.store.TableState.Barred;
import dev.neurontest.lease.store.TableState.Claim;
import dev.neurontest.lease.store.TableState.Member;
import dev.neurontest.lease.store.TableState.Ticket;
import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Who is served next, who is stuck, and which cores are kept from tests meanwhile. */
class TableQueueTest {

    private static final ProcessIdentity CHILD = new ProcessIdentity(55, 7, "here", "me");

    private final TableState state = new TableState();
    private final Member first = join(11);
    private final Member second = join(12);

    private Member join(long pid) {
        return state.join(new ProcessIdentity(pid, 1, "here", "me"), "token" + pid, "jvm-" + pid, Instant.EPOCH);
    }

    private Ticket ask(Member member, String holder, Claim... within) {
        return state.enqueue(
                member.number(),
                holder,
                "1 core",
                "main",
                1,
                List.of(within).stream().map(Claim::number).toList());
    }

    private Claim lease(Member member, String holder, String... cores) {
        return state.grant(ask(member, holder), List.of(cores), false, Instant.EPOCH);
    }

    private Claim lasting(Member member, String holder, String... cores) {
        return state.grant(ask(member, holder), List.of(cores), true, Instant.EPOCH);
    }

    private void giveBack(Claim claim) {
        state.release(claim.number(), process -> ProcessTable.Life.ENDED);
    }

    private TableState asItWasRead() {
        return state.copy();
    }

    private List<String> stuck() {
        return state.queue().stream().filter(Ticket::stuck).map(Ticket::holder).toList();
    }

    @Nested
    class InFront {

        @Test
        void isOnlyWhoCameFirstWhereNoneHoldsCores() {
            // given
            Ticket early = ask(first, "early");
            ask(second, "late");

            // then
            assertThat(state.front()).containsExactly(early);
        }

        @Test
        void areAllWhoHoldCoresInTheOrderInWhichTheyCame() {
            // given
            Claim one = lease(first, "one", "neuron0/neuron_core0");
            Claim two = lease(second, "two", "neuron0/neuron_core1");
            ask(first, "has nothing");
            Ticket early = ask(second, "two", two);
            Ticket late = ask(first, "one", one);

            // then
            assertThat(state.front()).containsExactly(early, late);
            assertThat(state.head()).contains(early);
        }

        @Test
        void isNoneOfAnEmptyQueue() {
            // then
            assertThat(state.front()).isEmpty();
            assertThat(state.head()).isEmpty();
        }
    }

    @Nested
    class Keeping {

        @Test
        void areLeasesAroundARequestAndThoseThatLastAsLongAsTheJvm() {
            // given
            Claim around = lease(first, "around", "neuron0/neuron_core0");
            Claim lasting = lasting(first, "session", "neuron0/neuron_core1+neuron1/neuron_core0");
            lease(first, "another test", "neuron2/neuron_core0");
            lasting(second, "session of another JVM", "neuron2/neuron_core1");

            // when
            Ticket inner = ask(first, "inner", around);

            // then
            assertThat(state.kept(inner)).containsExactly(around, lasting);
            assertThat(state.heldByWaiters())
                    .containsExactlyInAnyOrder("neuron0/neuron_core0", "neuron0/neuron_core1", "neuron1/neuron_core0");
        }

        @Test
        void isOnlyWhoHoldsSomethingWhileWaiting() {
            // given
            Claim around = lease(first, "around", "neuron0/neuron_core0");
            Ticket inner = ask(first, "inner", around);
            ask(second, "has nothing");

            // then
            assertThat(state.holders()).containsExactly(inner);

            // when
            giveBack(around);

            // then
            assertThat(state.holders()).isEmpty();
            assertThat(state.heldByWaiters()).isEmpty();
        }

        @Test
        void isSaidOfTheLongestHeldFirst() {
            // given: the second that came was served first
            Ticket early = ask(first, "early");
            Ticket late = ask(second, "late");
            Claim ofLate = state.grant(late, List.of("neuron0/neuron_core0"), false, Instant.EPOCH);
            Claim ofEarly = state.grant(early, List.of("neuron0/neuron_core1"), false, Instant.EPOCH);

            // then
            assertThat(state.claims()).containsExactly(ofLate, ofEarly);
            assertThat(state.claim(ofLate.number())).contains(ofLate);
        }
    }

    @Nested
    class Stuck {

        private final Claim one = lease(first, "one", "neuron0/neuron_core0");
        private final Ticket waiting = ask(first, "waiting", one);

        private void isStuck() {
            state.stuck(waiting.number());
            assertThat(stuck()).containsExactly("waiting");
        }

        @Test
        void isRememberedOnce() {
            // given
            isStuck();
            TableState read = asItWasRead();

            // when
            read.stuck(waiting.number());
            read.stuck(999);

            // then
            assertThat(read.changed()).isFalse();
            assertThat(read.queue()).allMatch(Ticket::stuck);
        }

        @Test
        void isWrittenDown() {
            // given
            TableState read = asItWasRead();

            // when
            read.stuck(waiting.number());

            // then
            assertThat(read.changed()).isTrue();
        }

        @Test
        void isForgottenWhenAnotherComes() {
            // given
            isStuck();

            // when
            ask(second, "another");

            // then
            assertThat(stuck()).isEmpty();
        }

        @Test
        void isForgottenWhenAnotherGivesUp() {
            // given
            Ticket another = ask(second, "another");
            isStuck();

            // when
            state.withdraw(another.number());

            // then
            assertThat(stuck()).isEmpty();
        }

        @Test
        void isForgottenWhenAnotherIsServed() {
            // given
            Ticket another = ask(second, "another");
            isStuck();

            // when
            state.grant(another, List.of("neuron0/neuron_core1"), false, Instant.EPOCH);

            // then
            assertThat(stuck()).isEmpty();
        }

        @Test
        void isForgottenWhenAJvmLeaves() {
            // given
            ask(second, "another");
            isStuck();

            // when
            state.leave(second.number());

            // then
            assertThat(state.queue()).extracting(Ticket::holder).containsExactly("waiting");
            assertThat(stuck()).isEmpty();
        }
    }

    /** What is not changed is not written, and no one looks for room where none was made. */
    @Nested
    class Changes {

        @Test
        void areNoneOfWhatIsNotThere() {
            // given
            TableState read = asItWasRead();

            // when
            read.withdraw(999);
            read.release(999, process -> ProcessTable.Life.ENDED);
            read.clear(999);
            read.check(999, first.number());
            read.started(999, CHILD);
            read.ended(999, CHILD.pid());

            // then
            assertThat(read.changed()).isFalse();
            assertThat(read.roomMade()).isFalse();
        }

        @Test
        void makeRoomWhereARequestIsTakenBack() {
            // given
            Ticket ticket = ask(first, "waiting");
            TableState read = asItWasRead();

            // when
            read.withdraw(ticket.number());

            // then
            assertThat(read.changed()).isTrue();
            assertThat(read.roomMade()).isTrue();
        }

        @Test
        void makeRoomWhereARequestIsServed() {
            // given
            Ticket ticket = ask(first, "waiting");
            TableState read = asItWasRead();

            // when
            read.grant(ticket, List.of("neuron0/neuron_core0"), false, Instant.EPOCH);

            // then
            assertThat(read.queue()).isEmpty();
            assertThat(read.roomMade()).isTrue();
        }

        @Test
        void makeRoomWhereALeaseEnds() {
            // given
            Claim claim = lease(first, "test", "neuron0/neuron_core0");
            TableState read = asItWasRead();

            // when
            read.release(claim.number(), process -> ProcessTable.Life.ENDED);

            // then
            assertThat(read.claims()).isEmpty();
            assertThat(read.changed()).isTrue();
            assertThat(read.roomMade()).isTrue();
        }

        @Test
        void makeRoomWhereAQuarantineEnds() {
            // given
            Claim claim = lease(first, "test", "neuron0/neuron_core0");
            Barred entry = state.bar(
                    "neuron0/neuron_core0", "broken", claim, Until.RESET, Instant.EPOCH, DeviceReading.NONE, List.of());
            TableState read = asItWasRead();

            // when
            read.clear(entry.number());

            // then
            assertThat(read.barred()).isEmpty();
            assertThat(read.changed()).isTrue();
            assertThat(read.roomMade()).isTrue();
        }

        @Test
        void makeRoomWhereAJvmLeaves() {
            // given
            TableState read = asItWasRead();

            // when
            read.leave(first.number());

            // then
            assertThat(read.members()).containsExactly(second);
            assertThat(read.changed()).isTrue();
            assertThat(read.roomMade()).isTrue();
        }

        @Test
        void areMadeByProcessesThatBeginAndEnd() {
            // given
            Claim claim = lease(first, "test", "neuron0/neuron_core0");
            TableState began = asItWasRead();

            // when
            began.started(claim.number(), CHILD);
            began.started(claim.number(), CHILD);

            // then
            assertThat(began.changed()).isTrue();
            assertThat(began.claim(claim.number()).orElseThrow().processes()).containsExactly(CHILD);

            // when
            TableState ended = began.copy();
            ended.ended(claim.number(), CHILD.pid() + 1);
            assertThat(ended.claim(claim.number()).orElseThrow().processes()).containsExactly(CHILD);
            ended.ended(claim.number(), CHILD.pid());

            // then
            assertThat(ended.changed()).isTrue();
            assertThat(ended.claim(claim.number()).orElseThrow().processes()).isEmpty();
        }

        @Test
        void areMadeByWhoLooksAtACore() {
            // given
            Claim claim = lease(first, "test", "neuron0/neuron_core0");
            Barred entry = state.bar(
                    "neuron0/neuron_core0", "broken", claim, Until.RESET, Instant.EPOCH, DeviceReading.NONE, List.of());
            TableState read = asItWasRead();

            // when
            read.check(entry.number(), second.number());

            // then
            assertThat(read.changed()).isTrue();
            assertThat(read.barred()).extracting(Barred::checker).containsExactly(second.number());
        }
    }

    @Nested
    class Quarantined {

        private final Claim claim = lease(first, "test", "neuron0/neuron_core0");

        private Barred bar(Until until, ProcessIdentity... processes) {
            return state.bar(
                    "neuron0/neuron_core0",
                    "broken",
                    claim,
                    until,
                    Instant.EPOCH,
                    DeviceReading.NONE,
                    List.of(processes));
        }

        @Test
        void keepsTheWholeDeviceWhileItsHardwareIsExamined() {
            // given
            Barred needsReset = bar(Until.RESET);
            assertThat(state.examined()).isEmpty();

            // when
            state.check(needsReset.number(), first.number());

            // then
            assertThat(state.examined()).containsExactly("neuron0");
        }

        @Test
        void keepsOnlyTheCoreWhileItIsExaminedForOtherReasons() {
            // given
            Barred ofAProcess = bar(Until.IDLE);

            // when
            state.check(ofAProcess.number(), first.number());

            // then
            assertThat(state.examined()).isEmpty();
            assertThat(state.taken()).containsExactly("neuron0/neuron_core0");
        }

        @Test
        void lastsUntilAHealthCheckEndsIt() {
            // given
            Barred entry = bar(Until.RESET);
            assertThat(state.lasting(entry)).as("while a test has the core").isFalse();

            // when
            giveBack(claim);

            // then
            assertThat(state.lasting(entry)).isTrue();
            assertThat(state.lasting(entry.checkedBy(first.number()))).isFalse();
            assertThat(state.lasting(bar(Until.PROCESSES_END, CHILD)))
                    .as("ends with the process")
                    .isFalse();
        }

        @Test
        void isBusyWhileATestHasACoreOfASuspectDevice() {
            // given
            Barred needsReset = bar(Until.RESET);
            Barred ofAProcess = bar(Until.IDLE);
            giveBack(claim);
            Claim other = lease(second, "other", "neuron1/neuron_core0");
            assertThat(state.busy(needsReset)).isFalse();

            // when
            giveBack(other);
            lease(second, "neighbour", "neuron0/neuron_core1");

            // then
            assertThat(state.busy(needsReset)).isTrue();
            assertThat(state.busy(ofAProcess)).isFalse();
            assertThat(state.checkable(needsReset, first.number())).isFalse();
        }

        @Test
        void isLookedAtByItsOwnJvmWhereTheHardwareIsNotSuspect() {
            // given
            Barred needsReset = bar(Until.RESET);
            Barred ofItsJvm = bar(Until.IDLE);
            giveBack(claim);

            // then
            assertThat(state.checkable(needsReset, second.number())).isTrue();
            assertThat(state.checkable(ofItsJvm, first.number())).isTrue();
            assertThat(state.checkable(ofItsJvm, second.number())).isFalse();

            // when
            state.leave(first.number());

            // then
            assertThat(state.checkable(ofItsJvm, second.number())).isTrue();
        }

        @Test
        void namesTheProcessThatStillRuns() {
            // given
            state.started(claim.number(), CHILD);

            // when
            state.release(claim.number(), process -> ProcessTable.Life.ALIVE);

            // then
            assertThat(state.barred())
                    .extracting(Barred::reason)
                    .containsExactly("the lease was given back while its process 55 was alive");
        }

        @Test
        void isOnlyForProcessesThatStillRun() {
            // given
            ProcessIdentity over = new ProcessIdentity(56, 7, "here", "me");
            state.started(claim.number(), over);
            state.started(claim.number(), CHILD);

            // when
            List<TableState.Death> deaths = state.bury(
                    member -> member.equals(second),
                    process -> process.equals(over) ? ProcessTable.Life.ENDED : ProcessTable.Life.ALIVE);

            // then
            assertThat(deaths).extracting(TableState.Death::survivors).containsExactly(List.of(CHILD));
            assertThat(state.barred()).extracting(Barred::processes).containsExactly(List.of(CHILD));
        }

        @Test
        void lastsWhateverTestsDoOnOtherCores() {
            // given
            Barred entry = bar(Until.RESET);
            giveBack(claim);

            // when
            lease(second, "far", "neuron1/neuron_core0");
            lease(second, "near", "neuron0/neuron_core1");

            // then
            assertThat(state.lasting(entry)).isTrue();
        }

        @Test
        void isOfACoreThatAnotherJvmMayNumberOtherwise() {
            // then
            assertThat(TableState.share(
                            List.of("neuron0/neuron_core0+neuron0/neuron_core1"), List.of("neuron0/neuron_core1")))
                    .isTrue();
            assertThat(TableState.share(
                            List.of("neuron0/neuron_core0+neuron0/neuron_core1"), List.of("neuron0/neuron_core2")))
                    .isFalse();
        }

        @Test
        void endsOnlyWithAllItsProcesses() {
            // given
            ProcessIdentity other = new ProcessIdentity(56, 7, "here", "me");
            Barred entry = bar(Until.PROCESSES_END, CHILD, other);
            bar(Until.RESET);

            // then
            assertThat(state.endQuarantines(
                            process -> process.equals(CHILD) ? ProcessTable.Life.ENDED : ProcessTable.Life.ALIVE))
                    .isEmpty();
            assertThat(state.endQuarantines(process -> ProcessTable.Life.ENDED)).containsExactly(entry);
            assertThat(state.barred()).extracting(Barred::until).containsExactly(Until.RESET);
        }
    }

    @Nested
    class Neighbours {

        @Test
        void areThoseOfTheSameDeviceThatHoldCoresStill() {
            // given
            Claim watching = lease(first, "watching", "neuron0/neuron_core0");
            lease(second, "near", "neuron0/neuron_core1");
            lease(second, "far", "neuron1/neuron_core1");

            // then
            assertThat(state.neighbours(watching, 0))
                    .extracting(TableState.Past::holder)
                    .containsExactly("near");
        }

        @Test
        void areNoLeasesWithinEachOther() {
            // given
            Claim outer = lease(first, "outer", "neuron0/neuron_core0");
            Claim inner =
                    state.grant(ask(first, "inner", outer), List.of("neuron0/neuron_core1"), false, Instant.EPOCH);

            // then
            assertThat(state.neighbours(outer, 0)).isEmpty();
            assertThat(state.neighbours(inner, 0)).isEmpty();
        }

        @Test
        void areNoneThatEndedBeforeItWasGranted() {
            // given
            lease(second, "keeps the memory", "neuron0/neuron_core2");
            Claim early = lease(second, "early", "neuron0/neuron_core1");
            giveBack(early);

            // when
            Claim watching = lease(first, "watching", "neuron0/neuron_core0");

            // then
            assertThat(state.neighbours(watching, 0))
                    .extracting(TableState.Past::holder)
                    .containsExactly("keeps the memory");
        }
    }
}
