package dev.neurontest.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.patience.Patience;
import dev.neurontest.process.ProcessTable;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MemoryStoreTest {

    private final MemoryStore store = new MemoryStore(new ProcessTable());

    @Test
    void hasOneMemberThatIsAlwaysThere() {
        // when
        TableState.Member self = store.self();

        // then
        assertThat(self.process().pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(store.<List<TableState.Member>>change(
                        state -> List.copyOf(state.members()), LockLimit.of(Patience.LIMIT)))
                .containsExactly(self);
        assertThat(store.alive(self)).isTrue();
        assertThat(store.lives(self.directory())).isTrue();
        assertThat(store.lives("jvm-1-0f0f0f0f-1")).isFalse();
        assertThat(store.place()).isEmpty();
    }

    @Test
    void keepsWhatAStepChangesUnlessItFails() {
        // when
        store.change(
                state -> state.enqueue(store.self().number(), "kept", "1 core", "main", 1, List.of()),
                LockLimit.of(Patience.LIMIT));
        assertThatIllegalStateException()
                .isThrownBy(() -> store.change(
                        state -> {
                            state.enqueue(store.self().number(), "lost", "1 core", "main", 1, List.of());
                            throw new IllegalStateException("the step fails");
                        },
                        LockLimit.of(Patience.LIMIT)));

        // then
        assertThat(store.<List<String>>change(
                        state -> state.queue().stream()
                                .map(TableState.Ticket::holder)
                                .toList(),
                        LockLimit.of(Patience.LIMIT)))
                .containsExactly("kept");
        assertThat(store.<String>alone(() -> "done")).isEqualTo("done");
    }

    @Test
    @Timeout(60)
    void isWokenByTheBellOnceForAllItsRings() throws Exception {
        // given
        store.ring(store.self());
        store.ring(store.self());

        // when
        store.awaitBell(Duration.ofHours(1));
        long began = System.nanoTime();
        store.awaitBell(Duration.ofMillis(50));

        // then
        assertThat(System.nanoTime() - began)
                .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
    }

    @Test
    void isInterruptedWhileItWaits() {
        // given
        Thread.currentThread().interrupt();

        // then
        assertThatThrownBy(() -> store.awaitBell(Patience.LIMIT)).isInstanceOf(InterruptedException.class);
    }
}
