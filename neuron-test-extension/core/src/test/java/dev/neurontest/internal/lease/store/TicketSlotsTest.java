package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.store.LeaseState.Ticket;
import dev.neurontest.internal.lease.store.TicketSlots.Head;
import dev.neurontest.internal.process.ProcessIdentity;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TicketSlotsTest {

    private static final ProcessIdentity JVM =
            new ProcessIdentity(4711, 123_456_789, "9b2d6a1c-5a3e-4c1e-8f0e-3f6d2b1a0c4d/4026531836", "1000");

    private final Slots slots = new MemorySlots();
    private final TicketSlots tickets = new TicketSlots(slots);

    private static Ticket ticket(String holder, List<Long> within) {
        return new Ticket(null, "jvm-4711-123456789-1", JVM, holder, "2 cores", "main", 1, within);
    }

    private Head enter(String holder) {
        return tickets.enter(ticket(holder, List.of()), false, tickets.heads());
    }

    private List<Head> fill() {
        List<Head> all = new ArrayList<>();
        for (int request = 1; request <= 252; request++) {
            all.add(enter("test " + request));
        }
        return all;
    }

    @Test
    void refusesRequestWhenTheQueueIsFull() {
        // given
        List<Head> all = fill();

        // then
        assertThat(tickets.heads()).isEqualTo(all);
        assertThatExceptionOfType(LeaseTableException.class)
                .isThrownBy(() -> enter("one more"))
                .withMessage("252 requests already wait for cores of this host");
    }

    @Test
    void acceptsRequestAfterOneLeftFullQueue() {
        // given
        List<Head> all = fill();

        // when
        tickets.leave(all.get(100));
        Head last = enter("one more");

        // then
        assertThat(last.slot()).isEqualTo(all.get(100).slot());
        assertThat(last.number()).isEqualTo(253);
        assertThat(tickets.heads()).hasSize(252).endsWith(last);
    }

    @Test
    void keepsTextOfEachRequest() {
        // given
        List<Head> all = fill();

        // then
        assertThat(all)
                .allSatisfy(head -> assertThat(tickets.ticket(head))
                        .hasValueSatisfying(
                                ticket -> assertThat(ticket.holder()).isEqualTo("test " + head.number())));
    }

    @Test
    void servesTheLowerSlotFirstWhereNumbersAreEqual() {
        // given two JVMs that saw the same queue
        List<Head> before = tickets.heads();
        Head one = tickets.enter(ticket("one", List.of()), false, before);
        Head other = tickets.enter(ticket("other", List.of()), false, before);

        // then
        Head lower = one.slot() < other.slot() ? one : other;
        Head higher = lower == one ? other : one;
        assertThat(one.number()).isEqualTo(other.number());
        assertThat(tickets.heads()).containsExactly(lower, higher);
        assertThat(lower.isBefore(higher)).isTrue();
        assertThat(higher.isBefore(lower)).isFalse();
        assertThat(lower.isBefore(lower)).isFalse();
    }

    @Test
    void ticketNumberDoesNotOverflow() {
        // given
        slots.set(enter("test").slot() * (long) TicketSlots.HEAD, Long.MAX_VALUE);

        // then
        assertThat(enter("another").number()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void readsBackWrittenHead() {
        // given
        Head entered = tickets.enter(ticket("test", List.of(7L)), true, tickets.heads());
        Head stuck = new Head(entered.slot(), entered.number(), true, true, 42, 1, false);

        // when
        tickets.write(stuck);

        // then
        assertThat(entered).isEqualTo(new Head(entered.slot(), 1, true, true, 0, 0, false));
        assertThat(tickets.heads()).containsExactly(stuck);
        assertThat(tickets.ticket(stuck).orElseThrow().head()).isEqualTo(stuck);
    }

    @Test
    void marksRequestAsPassedOverUntilItAnswers() {
        // given
        Head head = enter("test");

        // when
        tickets.pass(head, true);

        // then
        assertThat(tickets.heads()).extracting(Head::passedOver).containsExactly(true);

        // when
        tickets.pass(head, false);

        // then
        assertThat(tickets.heads()).containsExactly(head);
    }

    @Test
    void doesNotClearSlotOfAnotherRequest() {
        // given a request of a JVM that counted as ended, and another one in its place
        Head left = enter("left");
        tickets.leave(left);
        slots.set(left.slot() * (long) TicketSlots.HEAD + TicketSlots.OWNER, 2);
        slots.set(left.slot() * (long) TicketSlots.HEAD, 9);

        // when
        tickets.leave(left);

        // then
        assertThat(tickets.heads()).extracting(Head::number).containsExactly(9L);
        assertThat(tickets.ticket(left)).isEmpty();
    }
}
