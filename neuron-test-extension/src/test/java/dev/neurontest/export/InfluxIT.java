package dev.neurontest.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real InfluxDB reads the lines. It is version 1, which is what Debian has; version 2 took over its parser. */
class InfluxIT {

    @TempDir
    Path folder;

    private InstalledServer influx;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        String program = InstalledServer.program("influxd", "apt-get install influxdb");
        int port = InstalledServer.freePort();
        Path configuration = Files.writeString(folder.resolve("influxdb.conf"), """
                reporting-disabled = true
                bind-address = "127.0.0.1:0"
                [meta]
                  dir = "%1$s/meta"
                [data]
                  dir = "%1$s/data"
                  wal-dir = "%1$s/wal"
                [http]
                  bind-address = "127.0.0.1:%2$d"
                [monitor]
                  store-enabled = false
                """.formatted(folder, port));
        influx = new InstalledServer(
                folder.resolve("log"), port, "/ping", List.of(program, "-config", configuration.toString()));
        influx.post("/query?q=" + encoded("CREATE DATABASE neuron"));
    }

    @AfterEach
    void stop() {
        if (influx != null) {
            influx.close();
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private String select(String query) throws IOException, InterruptedException {
        return influx.get("/query?db=neuron&epoch=ns&q=" + encoded(query)).body();
    }

    @Test
    void readsTheNumbersOfARun() throws IOException, InterruptedException {
        // when
        Published published = Publisher.of("influx=" + influx.url() + "/write?db=neuron", Map.of())
                .publish(ExportFixture.ordinary());

        // then
        assertThat(published.done()).as(published.told()).isTrue();
        assertThat(select("SELECT test, \"commit\", value FROM \"neuron.test.metric.total_time\""))
                .contains("[[%d000000000,\"infer()\",\"abc1234\",0.017]]"
                        .formatted(ExportFixture.ENDED.getEpochSecond()));
        assertThat(select("SELECT value FROM \"neuron.test.tests\" WHERE outcome = 'passed'"))
                .contains(",2]]");
    }

    @Test
    void readsAnyText() throws IOException, InterruptedException {
        // when
        Published published = Publisher.of("influx=" + influx.url() + "/write?db=neuron", Map.of())
                .publish(ExportFixture.hostile());

        // then
        assertThat(published.done()).as(published.told()).isTrue();
        assertThat(select("SELECT test, value FROM \"neuron.test.metric.total_time\""))
                .contains("\"a=b, \\\"c\\\" /d/ {e} #f ü\",1e-9");
    }
}
