package dev.neurontest.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.neurontest.lease.DeviceReading;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.lease.store.TableState.Barred;
import dev.neurontest.lease.store.TableState.Claim;
import dev.neurontest.lease.store.TableState.Member;
import dev.neurontest.lease.store.TableState.Ticket;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

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
        assertThat(deaths).containsExactly(new TableState.Death(claim, List.of()));
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
}
