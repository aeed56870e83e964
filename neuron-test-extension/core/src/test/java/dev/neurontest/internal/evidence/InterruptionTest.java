package dev.neurontest.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class InterruptionTest {

    private static final Interruption INTERRUPTION = new Interruption(
            Phase.BODY,
            "main",
            List.of("neuron0: reset ready"),
            "nothing moved\n",
            "\"main\" WAITING\n    at Model.infer\n");

    @Test
    void textShowsPhaseDevicesCountersAndThreads() {
        // when, then
        assertThat(INTERRUPTION.toText()).isEqualTo("""
                        The test ran out of time in its body; thread "main" was interrupted.

                        neuron0: reset ready

                        Counters until then:
                        nothing moved

                        Threads:

                        "main" WAITING
                            at Model.infer
                        """);
    }

    @Test
    void jsonShowsPhaseDevicesCountersAndThreads() {
        // when, then
        assertThat(INTERRUPTION.toJson()).isEqualTo("""
                        {"version":1,"kind":"timeout","phase":"body","thread":"main","devices":["neuron0: reset ready"],\
                        "counters":"nothing moved\\n","threads":"\\"main\\" WAITING\\n    at Model.infer\\n"}""");
    }

    @Test
    void threadDumpStartsWithInterruptedThread() {
        // when
        String dump = ThreadDump.startingWith(Thread.currentThread());

        // then
        assertThat(dump)
                .startsWith("\"" + Thread.currentThread().getName() + "\" RUNNABLE")
                .contains("threadDumpStartsWithInterruptedThread");
    }
}
