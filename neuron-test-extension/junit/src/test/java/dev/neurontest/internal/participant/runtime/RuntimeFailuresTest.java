package dev.neurontest.internal.participant.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.runtime.watch.StuckCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RuntimeFailuresTest {

    @Test
    void reportDurationOfCallThatReturnedLate() {
        // given
        List<String> notices = new ArrayList<>();
        StuckCall call = new StuckCall(
                "nrt_execute",
                "stuck.neff",
                Optional.empty(),
                Duration.ofSeconds(40),
                Thread.currentThread(),
                List.of());

        // when
        new RuntimeFailures(notices::add).returned(call, Duration.ofMillis(44_559));

        // then
        assertThat(notices).containsExactly("nrt_execute of stuck.neff returned after 44.6 s.");
    }
}
