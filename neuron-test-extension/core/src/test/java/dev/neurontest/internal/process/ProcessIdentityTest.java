package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessIdentityTest {

    private final ProcessIdentity self = ProcessTable.shownSelf().orElseThrow();

    @Test
    void readsBackItsWord() {
        // given
        ProcessIdentity other = new ProcessIdentity(4194303, 123456789012L, "boot pid:[1] time:[2]", "me, too");

        // then
        assertThat(ProcessIdentity.of(other.word())).contains(other);
        assertThat(ProcessIdentity.of(self.word())).contains(self);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.2.3.4", "MQ", "MQoyCjMK", "eAoyCjMKNA", "MQoyCjMKNAo1"})
    void isEmptyForMalformedText(String text) {
        assertThat(ProcessIdentity.of(text)).isEmpty();
    }

    @Test
    void isReadFromInnermostTree() {
        // given
        ProcessIdentity dead = ProcessFixture.dead();

        // then
        assertThat(ProcessIdentity.above(ProcessFixture.endingWith(dead))).contains(dead);
        assertThat(ProcessIdentity.above(Map.of())).isEmpty();
        assertThat(ProcessIdentity.above(Map.of(ProcessTree.MARK, "outer"))).isEmpty();
        assertThat(ProcessIdentity.above(Map.of(
                        ProcessTree.MARK,
                        ProcessTree.newMark(Optional.of(dead)) + ":" + ProcessTree.newMark(Optional.empty()))))
                .isEmpty();
    }

    @Test
    void isAliveOnlyForRunningJvm() {
        // then
        assertThat(new ProcessTable().liveness(self)).isEqualTo(ProcessTable.Liveness.ALIVE);
        assertThat(new ProcessTable().liveness(ProcessFixture.dead())).isEqualTo(ProcessTable.Liveness.ENDED);
    }
}
