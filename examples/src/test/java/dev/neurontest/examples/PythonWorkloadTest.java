package dev.neurontest.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.Count;
import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectDeviceMemoryReturned;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.workload.NeuronWorkload;
import dev.neurontest.workload.Workloads;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests for a model team with a model in Python: as a worker that ends, and as a server that answers requests. */
class PythonWorkloadTest {

    // tag::used
    private static final String PROGRAM =
            Path.of("src/test/python/fake_workload.py").toAbsolutePath().toString();
    // end::used

    @BeforeAll
    static void needsPython() {
        assumeTrue(
                Pattern.compile(Pattern.quote(System.getProperty("path.separator")))
                        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                        .anyMatch(folder -> Path.of(folder, "python3").toFile().canExecute()),
                "no python3 on the PATH");
    }

    @Nested
    @NeuronTest
    class Worker {

        // tag::worker
        @Test
        @ExpectCounter(value = "inference_count", delta = 50, each = true)
        @ExpectDeviceMemoryReturned
        void infersOnEachOfItsCores(@Count(4) List<NeuronCore> cores, Workloads workloads) {
            workloads
                    .command("python3", PROGRAM, "infer", "50")
                    .timeout(Duration.ofMinutes(1))
                    .run();
        }
        // end::worker
    }

    // tag::server
    @Nested
    @NeuronTest
    @ExpectDeviceMemoryReturned
    class Server {

        private static final Pattern LISTENING = Pattern.compile("listening on (\\d+)");

        private static URI address;

        @BeforeAll
        static void start(@Count(8) List<NeuronCore> cores, Workloads workloads) {
            NeuronWorkload server = workloads
                    .command("python3", PROGRAM, "serve", "0")
                    .readyWhenPrinted(LISTENING.pattern())
                    .readyWithin(Duration.ofMinutes(1))
                    .start()
                    .awaitReady();
            Matcher listening = LISTENING.matcher(server.output());
            assertThat(listening.find()).isTrue();
            address = URI.create("http://127.0.0.1:" + listening.group(1) + "/infer");
        }

        @Test
        void answers() throws Exception {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).startsWith("{");
        }
        // end::server

        @Test
        void answersAgain() throws Exception {
            answers();
        }
        // tag::server
    }
    // end::server
}
