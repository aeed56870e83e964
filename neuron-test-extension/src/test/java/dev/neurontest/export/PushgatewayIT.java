package dev.neurontest.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.gate.RunFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real Pushgateway, which refuses what Prometheus could not read. */
class PushgatewayIT {

    @TempDir
    Path folder;

    private InstalledServer gateway;

    @BeforeEach
    void start() throws IOException {
        String program = InstalledServer.program("prometheus-pushgateway", "apt-get install prometheus-pushgateway");
        int port = InstalledServer.freePort();
        gateway = new InstalledServer(
                folder.resolve("log"), port, "/-/ready", List.of(program, "--web.listen-address=127.0.0.1:" + port));
    }

    @AfterEach
    void stop() {
        if (gateway != null) {
            gateway.close();
        }
    }

    private Published publish(String path, RunPoints points) {
        return Publisher.of("pushgateway=" + gateway.url() + path, Map.of()).publish(points);
    }

    private List<String> series() throws IOException, InterruptedException {
        return gateway.get("/metrics").body().lines().toList();
    }

    @Test
    void takesTheNumbersOfARun() throws IOException, InterruptedException {
        // when
        Published published = publish("", ExportFixture.ordinary());

        // then
        assertThat(published.done()).as(published.told()).isTrue();
        assertThat(series())
                .contains("neuron_test_metric_total_time{driver=\"2.30\",instance=\"\",instance_type=\"trn2.48xlarge\","
                        + "job=\"neuron-test\",test=\"infer()\",test_class=\"com.acme.BertTest\"} 0.017")
                .contains("neuron_test_tests{instance=\"\",job=\"neuron-test\",outcome=\"passed\"} 2");
    }

    @Test
    void takesAnyText() throws IOException, InterruptedException {
        // when
        Published published = publish("/metrics/job/hostile", ExportFixture.hostile());

        // then
        assertThat(published.done()).as(published.told()).isTrue();
        assertThat(series())
                .filteredOn(line -> line.startsWith("neuron_test_metric_total_time"))
                .singleElement()
                .asString()
                .contains("test=\"a=b, \\\"c\\\" \\\\d\\\\ {e} #f\\nü\"")
                .endsWith(" 1e-09");
    }

    @Test
    void forgetsWhatAnEarlierRunMeasured() throws IOException, InterruptedException {
        // given
        publish("", ExportFixture.ordinary());

        // when
        publish("", ExportFixture.points(new RunFixture().jvm("real")));

        // then
        assertThat(series())
                .noneMatch(line -> line.startsWith("neuron_test_metric"))
                .anyMatch(line -> line.startsWith("neuron_test_tests{"));
    }

    @Test
    void saysWhyItRefuses() throws IOException, InterruptedException {
        // when
        Published published = publish("/metrics/nowhere", ExportFixture.ordinary());

        // then
        assertThat(published.done()).isFalse();
        assertThat(published.told()).startsWith("the server answered 40");
    }
}
