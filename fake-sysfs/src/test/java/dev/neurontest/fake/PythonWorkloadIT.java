package dev.neurontest.fake;

import static dev.neurontest.patience.Patience.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the workload that other examples run: its effects on the fake host that it uses. */
class PythonWorkloadIT {

    private static final String PROGRAM = "../examples/src/test/python/fake_workload.py";
    private static final String CORE = "sys/devices/virtual/neuron_device/neuron1/neuron_core1/stats/";
    private static final String REFUSAL =
            "NeuronCore\\(s\\) not available - Requested:1 Available:0: .* server \\(pid 1\\)";

    @TempDir
    private Path folder;

    private FakeNeuronHost host;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void start() {
        assumeTrue(hasPython(), "no python3 of 3.9 or newer on the PATH");
        host = FakeNeuronHost.builder()
                .instance("trn1.32xlarge")
                .layout("driver-2.30")
                .start();
    }

    @AfterEach
    void stop() {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        if (host != null) {
            host.close();
        }
    }

    private static boolean hasPython() {
        try {
            return new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Process workload(String visibleCores, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("python3", PROGRAM));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(host.environment());
        builder.environment().put("NEURON_RT_VISIBLE_CORES", visibleCores);
        builder.environment().remove("NEURON_LOGICAL_NC_CONFIG");
        // A file neither loses output nor blocks the program.
        builder.redirectError(errors().toFile());
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Path errors() {
        return folder.resolve("errors");
    }

    private String counter(String name) throws IOException {
        return new String(host.tree().read(CORE + name + "/total")).strip();
    }

    private void awaitNobody() {
        await().untilAsserted(() -> assertThat(host.processes()).isEmpty());
    }

    @Test
    void infersOnItsVisibleCores() throws Exception {
        Process workload = workload("3", "infer", "5");

        assertThat(workload.inputReader().readLine()).isEqualTo("executed 5 times on neuron1/neuron_core1");
        assertThat(workload.waitFor()).as(Files.readString(errors())).isZero();

        assertThat(counter("other_info/inference_count")).isEqualTo("5");
        assertThat(counter("other_info/model_load_count")).isEqualTo("1");
        assertThat(host.processes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "NRT_EXEC_HW_ERR_NC_UE, hw_nc_ue_error",
        "5, timeout",
    })
    void failsWithTheGivenStatus(String status, String counter) throws Exception {
        Process workload = workload("3", "fail", status);

        assertThat(workload.waitFor()).isEqualTo(1);

        assertThat(errors())
                .content()
                .containsPattern(" ERROR +NMGR:dlr_infer +Inference completed with err: " + status + "\n")
                .contains("nrt_execute: status=" + status);
        awaitNobody();
        assertThat(counter("status/" + counter)).isEqualTo("1");
    }

    @Test
    void reportsTakenCoresAsTheRuntimeDoes() throws Exception {
        host.process("server").pid(1).init("3");

        Process workload = workload("3", "infer", "5");

        assertThat(workload.waitFor()).isEqualTo(1);
        assertThat(errors())
                .content()
                .containsPattern(" ERROR +NRT:nrt_allocate_neuron_cores +" + REFUSAL)
                .contains("nrt_init: status=1");
        assertThat(host.refusals()).singleElement().asString().contains("(pid " + workload.pid() + ") is refused");
    }

    @Test
    void servesUntilTerm() throws Exception {
        Process workload = workload("3", "serve", "0");
        String listening = workload.inputReader().readLine();
        assertThat(listening).as(Files.readString(errors())).startsWith("listening on ");
        URI infer = URI.create("http://127.0.0.1:" + listening.substring("listening on ".length()) + "/infer");

        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(infer).build(), HttpResponse.BodyHandlers.ofString());

        assertThat(answer.body())
                .isEqualTo(
                        "{\"pid\": " + workload.pid() + ", \"cores\": [\"neuron1/neuron_core1\"], \"executions\": 1}");
        assertThat(counter("other_info/inference_count")).isEqualTo("1");

        // Process.destroy would close the pipes too.
        workload.toHandle().destroy();

        assertThat(workload.waitFor()).as(Files.readString(errors())).isZero();
        assertThat(workload.inputReader().readLine()).isEqualTo("stopped after 1 executions");
        assertThat(host.journal()).anyMatch(line -> line.endsWith("(pid " + workload.pid() + ") exits"));
    }

    @Test
    void hangsUntilItIsKilled() throws Exception {
        Process workload = workload("3", "hang");
        assertThat(workload.inputReader().readLine())
                .isEqualTo("pid " + workload.pid() + " runs on neuron1/neuron_core1");
        host.awaitPublished();
        assertThat(host.directory().resolve("proc/" + workload.pid() + "/fd/3")).isSymbolicLink();

        workload.destroyForcibly();

        awaitNobody();
        assertThat(host.journal()).anyMatch(line -> line.endsWith("(pid " + workload.pid() + ") is killed"));
    }

    @Test
    void ignoresTermOnRequest() throws Exception {
        Process workload = workload("3", "ignore-term");
        assertThat(workload.inputReader().readLine()).contains(" runs on ");

        workload.destroy();

        assertThat(workload.waitFor(1, SECONDS)).isFalse();
        assertThat(host.processes()).hasSize(1);
    }

    @Test
    void spawnedChildOutlivesItsParent() throws Exception {
        Process workload = workload("3", "spawn");
        long child = Long.parseLong(workload.inputReader().readLine().substring("started pid ".length()));
        assertThat(workload.inputReader().readLine()).startsWith("pid " + child + " runs on ");

        workload.destroyForcibly();

        assertThat(workload.waitFor()).isNotZero();
        ProcessHandle orphan = ProcessHandle.of(child).orElseThrow();
        try {
            assertThat(host.processes()).extracting(FakeProcess::pid).containsExactly(child);
        } finally {
            orphan.destroyForcibly();
        }
        awaitNobody();
    }

    @Test
    void leaksMemoryUntilItEnds() throws Exception {
        Process workload = workload("3", "leak", "8192");
        assertThat(workload.inputReader().readLine()).isEqualTo("allocated 8192 bytes on neuron1/neuron_core1");
        assertThat(counter("memory_usage/device_mem/tensors")).isEqualTo("8192");

        workload.destroy();

        awaitNobody();
        assertThat(counter("memory_usage/device_mem/tensors")).isEqualTo("0");
    }

    @Test
    void endsWhenTheHostCloses() throws Exception {
        Process workload = workload("3", "hang");
        assertThat(workload.inputReader().readLine()).contains(" runs on ");

        host.close();

        assertThat(workload.waitFor()).isZero();
    }
}
