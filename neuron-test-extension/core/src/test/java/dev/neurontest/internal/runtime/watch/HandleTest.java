package dev.neurontest.internal.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandleTest {

    private final List<Long> freed = new ArrayList<>();
    private final Handle handle = new Handle("tensor a", 4711, freed::add);

    @Test
    void isFreedOnce() {
        // when
        handle.close(Trace.here());
        handle.close(Trace.here());
        handle.free();

        // then
        assertThat(freed).containsExactly(4711L);
    }

    @Test
    void isFreedWhenLastUserReleasesIt() {
        // given
        handle.hold();
        handle.hold();

        // when
        handle.close(Trace.here());
        handle.release();

        // then
        assertThat(freed).isEmpty();
        handle.release();
        assertThat(freed).containsExactly(4711L);
    }

    @Test
    void isFreedWithRuntimeDespiteUsers() {
        // given
        handle.hold();

        // when
        handle.free();
        handle.release();

        // then
        assertThat(freed).containsExactly(4711L);
    }

    @Test
    void namesThreadThatClosedIt() {
        // given
        handle.close(Trace.here());

        // then
        assertThatThrownBy(handle::hold)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching(
                        "tensor a was closed by thread \".*\" at HandleTest.java:[0-9]+ \\(HandleTest.namesThreadThatClosedIt\\)\\. .*");
    }
}
