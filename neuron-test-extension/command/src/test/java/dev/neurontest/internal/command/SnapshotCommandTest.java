package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.NrtStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotCommandTest {

    @TempDir
    private Path folder;

    @Test
    void diffShowsCounterChangedBetweenSnapshots() {
        // given
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .layout("driver-2.30")
                .start()) {
            String platform = "root:" + host.directory();
            CommandFixture.run("snapshot", "--platform", platform, "-o", folder + "/before.json");
            try (var process = host.openProcess(host.device(0).core(1))) {
                process.execute(host.device(0).core(1), NrtStatus.of("NRT_TIMEOUT"), 3);
            }
            host.awaitPublished();
            CommandFixture taken = CommandFixture.run("snapshot", "--platform", platform, "-o", folder + "/after.json");

            // when
            CommandFixture diff = CommandFixture.run("diff", folder + "/before.json", folder + "/after.json");

            // then
            assertThat(taken.out()).startsWith("227 counters of " + platform + " in " + folder + "/after.json");
            assertThat(diff.status()).isZero();
            assertThat(diff.out()).containsPattern("neuron0/neuron_core1 status/timeout +0 +3 +\\+3\n");
        }
    }

    @Test
    void printsSnapshotWithoutOutputFile() {
        // when
        CommandFixture snapshot = CommandFixture.run("snapshot", "--platform", "fake:trn1.2xlarge");

        // then
        assertThat(snapshot.out())
                .startsWith("{\"version\":1,\"kind\":\"neuron-counter-snapshot\"")
                .endsWith("}\n");
    }

    @Test
    void namesAFileThatIsNoSnapshot() throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("notes.txt"), "hello");

        // when
        CommandFixture diff = CommandFixture.run("diff", file.toString(), file.toString());

        // then
        assertThat(diff.status()).isEqualTo(2);
        assertThat(diff.err()).startsWith(file + " is not a snapshot of counters: line 1: Unrecognized token");
    }
}
