package dev.neurontest.fake;

import static dev.neurontest.patience.Patience.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of a program that drives a fake host through its control socket, without Java. */
class PythonClientIT {

    private static final String CLIENT = "../examples/src/test/python/fake_host_client.py";
    private static final String TIMEOUTS =
            "sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/timeout/total";

    private FakeNeuronHost host;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void start() {
        assumeTrue(hasPython(), "no python3 on the PATH");
        host = FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .layout("driver-2.29")
                .start();
    }

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
        if (host != null) {
            host.close();
        }
    }

    private static boolean hasPython() {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Process client(String... commands) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("python3", CLIENT, host.directory().toString()));
        command.addAll(List.of(commands));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    @Test
    void countersOfTheClientAppearAfterItEnds() throws Exception {
        Process client = client("open infer neuron0/neuron_core1", "execute infer neuron0/neuron_core1 NRT_TIMEOUT 3");

        assertThat(client.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();

        assertThat(client.inputReader().lines()).last().isEqualTo("ok");
        await().untilAsserted(() ->
                assertThat(host.directory().resolve(TIMEOUTS)).content().isEqualTo("3\n"));
    }

    @Test
    void killingTheClientEndsItsFakeProcess() throws Exception {
        Process client = client();
        client.outputWriter().append("open infer neuron0/neuron_core1\n").flush();
        assertThat(client.inputReader().readLine()).startsWith("ok pid ");
        assertThat(host.processes()).hasSize(1);

        client.destroyForcibly();

        await().untilAsserted(() -> assertThat(host.processes()).isEmpty());
    }

    @Test
    void clientFailsOnErrorAnswer() throws Exception {
        Process client = client("open infer neuron7/neuron_core0");

        assertThat(client.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();

        assertThat(client.exitValue()).isEqualTo(1);
        assertThat(client.inputReader().readLine()).startsWith("error no core");
    }
}
