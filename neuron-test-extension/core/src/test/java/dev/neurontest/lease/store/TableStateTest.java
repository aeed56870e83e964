package dev.neurontest.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableStateTest {

    private static final ProcessIdentity CHILD = new ProcessIdentity(55, 7, "here", "me");

    private final TableState state = new TableState();
    private final Member first = join(11);
    private final Member second = join(12);

    private Member join(long pid) {
        return state.join(new ProcessIdentity(pid, 1, "here", "me"), "token" + pid, "jvm-" + pid, Instant.EPOCH);
    }

    private Ticket ask(Member member, String holder) {
        return state.enqueue(member.number(), holder, "1 core", "main", 1, List.of());
    }

    private Claim lease(Member member, String holder, String... cores) {
        return state.grant(ask(member, holder), List.of(cores), false, Instant.EPOCH);
    }

    @Test
    void servesWhoeverCameFirst() {
        // when
        Ticket early = ask(first, "early");
        Ticket late = ask(second, "late");

        // then
        assertThat(state.head()).contains(early);
        state.withdraw(early.number());
        assertThat(state.head()).contains(late);
    }

    @Test
    void servesOthersBeforeAJvmThatDoesNotAnswerUntilItDoes() {
        // given
        Ticket early = ask(first, "early");
        Ticket late = ask(second, "late");

        // when
        TableState.Question question = state.ask(first.number());
        assertThat(state.head()).contains(early);
        state.passOver(question);

        // then
        assertThat(state.head()).contains(late);
        assertThat(state.roomMade()).as("the next one is woken").isTrue();
        assertThat(state.queue()).containsExactly(early, late);

        // when
        assertThat(state.answer(first.number()))
                .hasValueSatisfying(
                        answered -> assertThat(answered.passedOver()).isTrue());

        // then
        assertThat(state.head()).contains(early);
    }

    @Test
    void passesOverThoseWhoHoldCoresToo() {
        // given
        Claim held = lease(first, "holder", "neuron0/neuron_core0");
        state.enqueue(first.number(), "holder", "1 core", "main", 1, List.of(held.number()));
        Ticket other = ask(second, "other");

        // when
        state.passOver(state.ask(first.number()));

        // then what it holds stays its own
        assertThat(state.front()).containsExactly(other);
        assertThat(state.taken()).containsExactly("neuron0/neuron_core0");
    }

    @Test
    void hasNoFrontWhenNoJvmAnswers() {
        // given
        ask(first, "only");

        // when
        state.passOver(state.ask(first.number()));

        // then
        assertThat(state.front()).isEmpty();
    }

    @Test
    void passesNoJvmOverThatHasAnsweredMeanwhile() {
        // given
        Ticket early = ask(first, "early");
        TableState.Question question = state.ask(first.number());

        // when
        state.answer(first.number());
        state.ask(first.number());
        state.passOver(question);

        // then
        assertThat(state.head()).contains(early);
    }

    @Test
    void asksNoMoreWhatADeadJvmCannotAnswer() {
        // given
        state.ask(first.number());

        // when
        state.leave(first.number());

        // then
        assertThat(state.questions()).isEmpty();
    }

    @Test
    void grantsNoPhysicalCoreTwice() {
        // given a logical core of two physical ones
        lease(first, "wide", "neuron0/neuron_core0+neuron0/neuron_core1");

        // then the other JVM numbers them one by one
        Ticket narrow = ask(second, "narrow");
        assertThatIllegalStateException()
                .isThrownBy(() -> state.grant(narrow, List.of("neuron0/neuron_core1"), false, Instant.EPOCH));
        assertThat(state.claims()).hasSize(1);
    }

    @Test
    void buriesTheDeadAndWhatTheyHad() {
        // given
        Claim claim = lease(first, "dead", "neuron0/neuron_core0");
        ask(first, "dead too");
        Ticket alive = ask(second, "alive");

        // when
        List<TableState.Death> deaths = state.bury(member -> member.equals(second), process -> ProcessTable.Life.ENDED);

        // then
        assertThat(deaths).containsExactly(new TableState.Death(claim, List.of(), false));
        assertThat(state.members()).containsExactly(second);
        assertThat(state.queue()).containsExactly(alive);
        assertThat(state.taken()).isEmpty();
        assertThat(state.roomMade()).isTrue();
    }

    @Test
    void keepsCoresWhoseProcessCannotBeJudged() {
        // given
        Claim claim = lease(first, "dead", "neuron0/neuron_core0");
        state.started(claim.number(), CHILD);

        // when
        state.bury(member -> member.equals(second), process -> ProcessTable.Life.UNKNOWN);

        // then
        assertThat(state.taken()).containsExactly("neuron0/neuron_core0");
        assertThat(state.barred()).singleElement().satisfies(entry -> {
            assertThat(entry.processes()).containsExactly(CHILD);
            assertThat(entry.reason())
                    .contains("its process 55, of another container or user, could not be seen from here");
        });

        // when
        assertThat(state.endQuarantines(process -> ProcessTable.Life.UNKNOWN)).isEmpty();
        assertThat(state.endQuarantines(process -> ProcessTable.Life.ENDED)).hasSize(1);

        // then
        assertThat(state.taken()).isEmpty();
    }

    @Test
    void letsOthersCheckACoreWhoseCheckerDied() {
        // given
        Claim claim = lease(first, "test", "neuron0/neuron_core0");
        Barred entry = state.bar(
                "neuron0/neuron_core0", "broken", claim, Until.RESET, Instant.EPOCH, DeviceReading.NONE, List.of());
        assertThat(state.lasting(entry)).as("while it is held").isFalse();
        state.release(claim.number(), process -> ProcessTable.Life.ENDED);
        state.check(entry.number(), first.number());
        assertThat(state.barred()).noneMatch(each -> state.checkable(each, second.number()));

        // when
        state.bury(member -> member.equals(second), process -> ProcessTable.Life.ENDED);

        // then
        assertThat(state.barred()).allMatch(each -> state.checkable(each, second.number()));
    }

    @Test
    void tellsWhoWasThereSinceAMoment() {
        // given
        Claim watching = lease(first, "watching", "neuron0/neuron_core0");
        Claim early = lease(second, "early", "neuron0/neuron_core1");
        state.release(early.number(), process -> ProcessTable.Life.ENDED);
        long moment = state.last();

        // when
        Claim late = lease(second, "late", "neuron0/neuron_core1");
        state.release(late.number(), process -> ProcessTable.Life.ENDED);

        // then
        assertThat(state.neighbours(watching, moment))
                .extracting(TableState.Past::holder)
                .containsExactly("late");
    }

    @Test
    void remembersEndedLeasesOnlyForTheirNeighbours() {
        // given
        Claim watching = lease(first, "watching", "neuron0/neuron_core0");

        // when
        for (int i = 0; i < TableState.REMEMBERED + 5; i++) {
            Claim near = lease(second, "near " + i, "neuron0/neuron_core1");
            Claim far = lease(second, "far " + i, "neuron1/neuron_core0");
            state.release(near.number(), process -> ProcessTable.Life.ENDED);
            state.release(far.number(), process -> ProcessTable.Life.ENDED);
        }

        // then
        assertThat(state.neighbours(watching, 0))
                .extracting(TableState.Past::holder)
                .hasSize(TableState.REMEMBERED)
                .startsWith("near 5")
                .endsWith("near " + (TableState.REMEMBERED + 4));

        // when
        state.release(watching.number(), process -> ProcessTable.Life.ENDED);

        // then
        assertThat(state.past()).isEmpty();
    }

    @Test
    void isWrittenWhenAQuestionIsAnsweredAndNotBefore() {
        // given
        state.ask(first.number());
        TableState asked = state.copy();

        // when, then
        assertThat(asked.answer(second.number())).isEmpty();
        assertThat(asked.changed()).isFalse();

        // when, then
        assertThat(asked.answer(first.number())).isPresent();
        assertThat(asked.changed()).isTrue();

        // when: the next one has nothing to answer
        asked.answer(first.number());

        // then
        assertThat(asked.changed()).isTrue();
    }

    @Test
    void isTheSameWhenItIsWrittenDownAndRead() throws Exception {
        // given everything there is, with names that are hard to write
        Claim claim = lease(
                first,
                "Nasty\tTest.x()\n\\u0041 = \ud83d\ude00 \ud800",
                "neuron0/neuron_core0",
                "neuron0/neuron_core1");
        state.started(claim.number(), CHILD);
        state.started(claim.number(), new ProcessIdentity(56, -1, "boot pid:[4026531836]", "you"));
        Claim inner = state.grant(
                state.enqueue(first.number(), "inner", "1 core", "main", 1, List.of(claim.number())),
                List.of("neuron1/neuron_core0"),
                true,
                Instant.EPOCH);
        ask(second, "waiting");
        state.bar(
                "neuron1/neuron_core1",
                "",
                inner,
                Until.RESET,
                Instant.parse("2026-01-02T03:04:05.123456789Z"),
                DeviceReading.NONE,
                List.of());
        state.bar(
                "neuron2/neuron_core1",
                "its child",
                claim,
                Until.PROCESSES_END,
                Instant.EPOCH,
                DeviceReading.NONE,
                List.of(CHILD));
        Claim past = lease(second, "past", "neuron1/neuron_core3");
        state.release(past.number(), process -> ProcessTable.Life.ENDED);
        state.ask(first.number());
        state.passOver(state.ask(second.number()));

        // when
        TableState read = TableText.read(TableText.write(state));

        // then
        assertThat(read.content())
                .isEqualTo(state.content())
                .isNotEqualTo(new TableState().content())
                .containsEntry("last", state.last());
        assertThat(TableText.write(state))
                .doesNotContain("\nx()")
                .contains("Nasty\\u0009Test.x()\\u000a\\u005cu0041 = \\ud83d\\ude00 \\ud800");
    }

    private static final String CORE = "neuron0/neuron_core0";
    private static final DeviceReading DEVICE = DeviceReading.parse("driver=boot 1; serial=aa");

    private Barred suspect(String core, String test, DeviceReading device) {
        Claim claim = lease(first, test, core);
        Barred entry = state.suspect(core, "status 5", claim, Until.WELL, Instant.EPOCH, device, test);
        state.release(claim.number(), process -> ProcessTable.Life.ENDED);
        return entry;
    }

    private Barred cameBackAfter(String test) {
        Barred entry = suspect(CORE, test, DEVICE);
        state.recover(entry);
        assertThat(state.barred()).isEmpty();
        return entry;
    }

    @Test
    void takesOutACoreThatASecondTestMakesSuspect() {
        // given
        cameBackAfter("one");

        // then
        assertThat(suspect(CORE, "two", DEVICE)).satisfies(again -> {
            assertThat(again.until()).isEqualTo(Until.RESET);
            assertThat(again.told())
                    .isEqualTo("status 5; the core was suspect before (one: status 5); "
                            + "reset the device (neuron0, serial number aa)");
        });
    }

    @Test
    void keepsASuspectThatTheSameTestMakesSuspectAgain() {
        // given
        cameBackAfter("one");

        // then
        assertThat(suspect(CORE, "one", DEVICE).until()).isEqualTo(Until.WELL);
    }

    @Test
    void comparesSuspectsByTheirPhysicalCores() {
        // given
        cameBackAfter("one");

        // then
        assertThat(suspect("neuron0/neuron_core1", "two", DEVICE).until()).isEqualTo(Until.WELL);
        state.clear(state.barred().iterator().next().number());
        assertThat(suspect("neuron0/neuron_core0+neuron0/neuron_core1", "three", DEVICE)
                        .until())
                .isEqualTo(Until.RESET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"driver=boot 2; serial=aa", "driver=boot 1; serial=bb"})
    void forgetsASuspectWhenTheDriverOrTheDeviceIsAnother(String later) {
        // given
        cameBackAfter("one");

        // then
        assertThat(suspect(CORE, "two", DeviceReading.parse(later)).until()).isEqualTo(Until.WELL);
    }

    @Test
    void forgetsTheSuspectsOfADeviceThatWasReset() {
        // given
        cameBackAfter("one");
        Claim claim = lease(first, "other", "neuron0/neuron_core1");
        Barred needsReset =
                state.bar("neuron0/neuron_core1", "status 1203", claim, Until.RESET, Instant.EPOCH, DEVICE, List.of());
        assertThat(state.suspects()).hasSize(1);

        // when
        state.recover(needsReset);

        // then
        assertThat(state.suspects()).isEmpty();
        assertThat(suspect(CORE, "two", DEVICE).until()).isEqualTo(Until.WELL);
    }

    @Test
    void keepsOneSuspicionForACore() {
        // when
        for (int i = 0; i < 100; i++) {
            cameBackAfter("same");
        }

        // then
        assertThat(state.suspects()).hasSize(1);
    }

    @Test
    void keepsSuspectsInItsText() throws Exception {
        // given
        cameBackAfter("one");

        // when
        TableState read = TableText.read(TableText.write(state));

        // then
        assertThat(read.content()).isEqualTo(state.content());
        assertThat(read.suspects()).hasSize(1);
    }

    @Test
    void freesASuspectThatIsAcquitted() {
        // given
        Barred entry = suspect(CORE, "one", DEVICE);

        // when
        List<Long> ended = state.acquit(first.number(), List.of(CORE), "status 5", "the kernel is to blame");

        // then
        assertThat(ended).containsExactly(entry.number());
        assertThat(state.barred()).isEmpty();
        assertThat(state.suspects()).isEmpty();
    }

    @Test
    void freesACoreThatOnlyASecondSuspicionTookOut() {
        // given
        cameBackAfter("one");
        suspect(CORE, "two", DEVICE);

        // when
        state.acquit(first.number(), List.of(CORE), "status 5", "the kernel is to blame");

        // then
        assertThat(state.barred()).isEmpty();
    }

    @Test
    void keepsTheFirstSuspicionWhenTheSecondIsExplained() {
        // given
        cameBackAfter("one");
        Claim claim = lease(first, "two", CORE);
        state.suspect(CORE, "status 1004", claim, Until.WELL, Instant.EPOCH, DEVICE, "two");
        state.release(claim.number(), process -> ProcessTable.Life.ENDED);
        state.acquit(first.number(), List.of(CORE), "status 1004", "the kernel is to blame");

        // then
        assertThat(suspect(CORE, "three", DEVICE).told()).contains("the core was suspect before (one: status 5)");
    }

    @Test
    void keepsWhatNeedsAResetWithTheCauseWhenItIsAcquitted() {
        // given
        Claim claim = lease(first, "test", CORE);
        Barred entry = state.bar(CORE, "status 1203", claim, Until.RESET, Instant.EPOCH, DEVICE, List.of());
        Barred other = state.bar(CORE, "neuron0 vanished", claim, Until.RESET, Instant.EPOCH, DEVICE, List.of());

        // when
        List<Long> ended = state.acquit(first.number(), List.of(CORE), "status 1203", "the kernel is to blame");

        // then the old entry has ended for those who have seen it
        assertThat(ended).containsExactly(entry.number());
        assertThat(state.barred())
                .extracting(Barred::reason)
                .containsExactly(other.reason(), "status 1203; the kernel is to blame");
    }

    @Test
    void acquitsNothingOfAnotherJvm() {
        // given
        suspect(CORE, "one", DEVICE);

        // then
        assertThat(state.acquit(second.number(), List.of(CORE), "status 5", "the kernel is to blame"))
                .isEmpty();
        assertThat(state.barred()).hasSize(1);
    }
}
