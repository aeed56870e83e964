package dev.neurontest.internal.command;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.NrtStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class RecordCommandTest {

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("host.archive.txt");
    }

    private CommandFixture record(String... more) {
        String[] arguments = new String[more.length + 5];
        arguments[0] = "record";
        arguments[1] = "--platform";
        arguments[2] = "fake:trn1.2xlarge";
        arguments[3] = "-o";
        arguments[4] = file().toString();
        System.arraycopy(more, 0, arguments, 5, more.length);
        return CommandFixture.run(arguments);
    }

    @Test
    void recordingIsReadBySnapshotDoctorAndRecord() {
        // given
        CommandFixture recorded = record();

        // when
        CommandFixture snapshot = CommandFixture.run("snapshot", "--platform", "replay:" + file());
        CommandFixture doctor = CommandFixture.run("doctor", "--platform", "replay:" + file());
        CommandFixture again = CommandFixture.run("record", "--platform", "replay:" + file());

        // then
        assertThat(recorded.status()).as(recorded.err()).isZero();
        assertThat(recorded.out()).matches("[0-9]+ files of fake:trn1.2xlarge@driver-2.30 in " + file() + "\n");
        assertThat(snapshot.out()).startsWith("{\"version\":1,\"kind\":\"neuron-counter-snapshot\"");
        assertThat(doctor.out()).contains("trn1.2xlarge");
        assertThat(file()).content().isEqualTo(withoutTime(file(), again.out()));
    }

    @Test
    void doctorShowsTimeAndUnknownDriverOfRecording() throws IOException {
        // given
        record();
        List<String> lines = Files.readAllLines(file());
        lines.replaceAll(line -> line.startsWith("recorded ") ? "recorded 2026-11-20T02:13:20.000Z" : line);
        lines.replaceAll(line -> line.startsWith(" version ") ? " version 0444 = 3.1\\n" : line);
        Files.write(file(), lines);

        // when
        CommandFixture doctor = CommandFixture.run("doctor", "--platform", "replay:" + file());

        // then
        assertThat(doctor.out().lines())
                .contains(
                        "OK    host       recorded 2026-11-20T02:13:20.000Z",
                        "WARN  host       driver \"3.1\" behaves like driver-2.30 (2.30.2.0)");
    }

    /** Returns a recording with the time of the first one. A recording of a recording has no other difference. */
    private static String withoutTime(Path first, String second) {
        try {
            String line = Files.readAllLines(first).get(1);
            assertThat(line).startsWith("recorded ");
            return second.replaceFirst("recorded .*", line);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void recordsChangesForGivenTime() {
        // given
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .layout("driver-2.30")
                .start()) {
            String platform = "root:" + host.directory();

            // when
            CompletableFuture<CommandFixture> recording = CompletableFuture.supplyAsync(() -> CommandFixture.run(
                    "record", "--platform", platform, "-o", file().toString(), "--for", "1s", "--every", "20ms"));
            var core = host.device(0).core(1);
            try (var process = host.openProcess(core)) {
                await().until(() -> {
                    process.execute(core, NrtStatus.of("NRT_TIMEOUT"), 1);
                    return recording.isDone();
                });
            }

            // then
            assertThat(recording.join().out()).containsPattern("; [1-9][0-9]* changes in [0-9.]+ s\n$");
            assertThat(file())
                    .content()
                    .contains("\ninterval 0.020\n")
                    .containsSubsequence(
                            "\ntimeline\nat ", "neuron_core1/stats/status/timeout\n", " total 0", "\nend\n");
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void recordsWhileCommandRunsAndReturnsItsExitCode() {
        // when
        CommandFixture recorded = record("--", "sh", "-c", "test -d \"$NEURON_FAKE_ROOT/sys\" && exit 7");

        // then
        assertThat(recorded.status()).as(recorded.err()).isEqualTo(7);
        assertThat(file())
                .content()
                .containsSubsequence("mark command started\n", "mark command ended\n")
                .endsWith("\nend\n");
    }

    @Test
    void reportsFileThatCannotBeWritten() throws IOException {
        // given
        Path goesMeanwhile = Files.createDirectory(folder.resolve("goes meanwhile"));
        Path lost = goesMeanwhile.resolve("host.archive.txt");

        // when
        CommandFixture recorded = CommandFixture.run(
                "record", "--platform", "fake:trn1.2xlarge", "-o", lost.toString(), "--", "rmdir", goesMeanwhile + "");

        // then
        assertThat(recorded.status()).isEqualTo(2);
        assertThat(recorded.err())
                .startsWith("The recording cannot be written to " + lost
                        + ", which is unchanged: there is no such file or folder");
    }

    @Test
    void refusesAFolderBeforeTheCommandStarts() throws IOException {
        // given
        Files.createDirectories(file().resolve("in the way"));

        // when
        CommandFixture recorded =
                record("--", "rmdir", file().resolve("in the way").toString());

        // then
        assertThat(recorded.status()).isEqualTo(2);
        assertThat(recorded.err()).startsWith("-o: " + file() + " is a folder: name a file.\n");
        assertThat(file()).isNotEmptyDirectory();
        assertThat(folder).isDirectoryContaining(each -> each.equals(file())).isDirectoryNotContaining("glob:**.part");
    }
}
