package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/** The archive of a used fake host, which a test edits as a person would. */
final class ArchiveFixture {

    static final Clock NOON = Clock.fixed(Instant.parse("2026-01-01T12:00:00Z"), ZoneOffset.UTC);
    static final String NEURON0 = "sys/devices/virtual/neuron_device/neuron0";
    static final String CORE1 = NEURON0 + "/neuron_core1";

    private String text;

    private ArchiveFixture(String text) {
        this.text = text;
    }

    /** Returns an archive with the same bytes each time. */
    static ArchiveFixture of(String instance, String layout) throws IOException {
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                .instance(instance)
                .layout(layout)
                .clock(NOON)
                .start()) {
            work(host);
            return new ArchiveFixture(RecordingFixture.text(host));
        }
    }

    /** Moves a few counters of each kind. */
    private static void work(FakeNeuronHost host) throws IOException {
        FakeCore core = host.device(0).core(1);
        try (FakeProcess process = host.openProcess("worker", core)) {
            process.load(core, 1 << 20);
            process.execute(core, 12);
            process.execute(core, NrtStatus.NRT_TIMEOUT, 2);
            process.allocate(core, "tensors", 123_456);
        }
        host.device(0).ecc("mem_uncorrected", 3);
        assertThat(host.processes()).isEmpty();
    }

    /** Replaces the line of an entry of a directory. */
    ArchiveFixture entry(String directory, String name, String rest) {
        int block = text.indexOf(" " + directory + "\n");
        int line = text.indexOf("\n " + name + ' ', block) + 1;
        if (block < 0 || line <= 0) {
            throw new IllegalArgumentException("no " + name + " in " + directory);
        }
        String with = rest.isEmpty() ? "" : ' ' + name + ' ' + rest + '\n';
        text = text.substring(0, line) + with + text.substring(text.indexOf('\n', line) + 1);
        return this;
    }

    ArchiveFixture replace(String old, String with) {
        if (!text.contains(old)) {
            throw new IllegalArgumentException("no " + old);
        }
        text = text.replace(old, with);
        return this;
    }

    /** Adds lines before the end. */
    ArchiveFixture add(String lines) {
        text = text.substring(0, text.length() - "end\n".length()) + lines + "end\n";
        return this;
    }

    String text() {
        return text;
    }

    Path in(Path folder) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "host", ".neuron-archive.txt"), text);
    }

    FakeNeuronHost start(Path folder) throws IOException {
        return FakeNeuronHost.builder()
                .recording(in(folder))
                .resetDuration(Duration.ofDays(1))
                .start();
    }
}
