package dev.neurontest.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.ExpectDeviceMemoryReturned;
import dev.neurontest.NeuronTest;
import dev.neurontest.baseline.Samples;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.workload.NeuronWorkload;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests of a model behind a server of vLLM, measured by its benchmark. On a Neuron instance {@code -Dexamples.vllm=vllm}
 * and {@code -Dexamples.vllm.model=NAME} take the genuine one. Without them, a program with its commands takes its place.
 */
@NeuronTest
@ExpectDeviceMemoryReturned
class VllmTest {

    private static final Pattern LISTENING = Pattern.compile("http://\\S+:(\\d+)");
    private static final String MODEL = System.getProperty("examples.vllm.model", CompiledKernels.SCALE);

    private static final Path RESULT = Path.of("target/vllm.json");

    private static String url = "";

    private static List<String> vllm(String... words) {
        String program = System.getProperty("examples.vllm", "python3 src/test/python/vllm.py");
        List<String> command = new ArrayList<>(List.of(program.split(" ")));
        command.addAll(List.of(words));
        return command;
    }

    // tag::server
    @BeforeAll
    static void serve(NeuronHost host, Optional<FakeNeuronHost> fake, NeuronCore core, Workloads workloads)
            throws Exception {
        assumeTrue(Python.hasNumpy(), "no python3 with numpy on the PATH");
        CompiledKernels.compile(host, fake);
        NeuronWorkload server = workloads
                .command(vllm("serve", MODEL, "--port", "0"))
                .readyWhenPrinted(LISTENING.pattern())
                .start()
                .awaitReady();
        Matcher listening = LISTENING.matcher(server.output());
        assertThat(listening.find()).isTrue();
        url = "http://127.0.0.1:" + listening.group(1);
    }

    @Test
    void answersEachRequestInTime(Workloads workloads) {
        WorkloadResult benchmark = workloads
                .command(vllm(
                        "bench",
                        "serve",
                        "--model",
                        MODEL,
                        "--base-url",
                        url,
                        "--save-result",
                        "--save-detailed",
                        "--result-filename",
                        RESULT.toString()))
                .on()
                .timeout(Duration.ofMinutes(5))
                .run();

        Samples firstToken = benchmark.samples("ttft", RESULT); // in doubt if a request failed
        assertThat(firstToken.values()).hasSize(8);
        assertThat(firstToken.median()).isLessThan(10); // seconds
    }
    // end::server
}
