package dev.neurontest.internal.cluster.agent;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests of an agent without its process. */
class HostAgentTest {

    private final ByteArrayOutputStream answers = new ByteArrayOutputStream();
    private final HostAgent agent = new HostAgent(answers);

    private String answer(String call) throws Exception {
        agent.serve(new ByteArrayInputStream((call + "\n").getBytes(StandardCharsets.UTF_8)));
        await().until(() -> answers.toString(StandardCharsets.UTF_8).endsWith("\n"));
        return answers.toString(StandardCharsets.UTF_8);
    }

    @Test
    void unknownCallSaysThatVersionsDiffer() throws Exception {
        assertThat(answer("{\"id\":7,\"call\":\"Fly\",\"with\":{}}"))
                .startsWith("neuron-test-agent {\"id\":7,\"failure\":")
                .contains("this agent does not know the call Fly; the hosts have different versions");
    }

    @Test
    void callBeforeHostIsOpenFails() throws Exception {
        assertThat(answer("{\"id\":1,\"call\":\"ListNames\",\"with\":{\"directory\":\"sys\"}}"))
                .contains("the host is not open yet");
    }

    @Test
    void callCancelledBeforeItBeginsIsNotExecuted() throws Exception {
        // given
        agent.cancel(3);

        // then
        assertThat(answer("{\"id\":3,\"call\":\"ReadClock\",\"with\":{}}")).contains("InterruptedException");
    }

    @Test
    void agentEndsAfterTimeWithoutCall() throws Exception {
        // given
        CountDownLatch ended = new CountDownLatch(1);

        // when
        agent.endWhenSilent(Duration.ofMillis(20), ended::countDown);

        // then
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
