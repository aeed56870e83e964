package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.internal.control.CommandSession;
import dev.neurontest.fuzz.Fuzzing;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fuzz tests of the replay of recordings with errors at random places. */
class ReplayFuzzTest {

    private static final String HOST = """
            neuron-archive 1
            instance-type trn1.2xlarge
            driver-version 2.x.9
            directory 0755 dev
             neuron0 0666 device 243:0
            directory 0755 sys/devices/virtual/dmi/id
             product_name 0444 = trn1.2xlarge\\n
            directory 0755 sys/devices/virtual/neuron_device/neuron0
             core_count 0644 = 2\\n
             reset 0644 ! EIO
             subsystem -> ../../../../class/neuron_device
            directory 0755 sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/status/success
             total 0644 = 40\\n
             present 0644 = 5\\n
            directory 0755 sys/module/neuron
             version 0444 = 2.x.9\\n
            timeline
            at 0.5
            directory 0755 sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/status/success
             total 0644 = 41\\n
            mark used
            at 1.5
            gone sys/devices/virtual/neuron_device/neuron0
            directory 0755 dev
             neuron0 gone
            end
            """;

    /** An archive with every kind of entry. */
    private static final String ENTRIES = """
            neuron-archive 1
            recorded 2026-11-22T02:13:20.000Z
            writer by hand
            interval 0.100

            # a comment
            directory 0755 dev
             neuron0 0666 device 243:0
            directory 0700 sys/class/neuron_device
             a\\x20name 0644 =  two spaces \\\\ \\t\\r\\n\\xff\\x20
             é 0444 = é
             broken 0400 ! EIO as a person says
             neuron0 -> ../../a\\x20b
            timeline
            at 0.5
            directory 0755 dev
             neuron0 gone
             new neuron1 0666 device
            new directory 0755 sys/devices/virtual/neuron_device/neuron1
             reset 0644 =
            mark test-id [engine:junit-jupiter]/[class:A]/[method:b(int)]
            at 1.5
            gone sys/class/neuron_device
            mark the end\\x20
            end
            """;

    private static final String UNFORESEEN = "(Arithmetic|Bounds|Cast|Element|NullPointer)Exception";

    private static final List<String> LOOKED_AT =
            List.of("core_count", "reset", "neuron_core0/stats/status/success/total");

    @TempDir
    private Path folder;

    /** Returns the views at the beginning, at the end, and at the beginning again. */
    private static List<String> seen(Path recording) {
        try (FakeNeuronHost host = FakeNeuronHost.builder().recording(recording).start();
                CommandSession session = host.openSession()) {
            String before = look(session);
            host.timeline().end();
            String after = look(session);
            host.timeline().rewind();
            return List.of(before, after, look(session));
        }
    }

    /** Returns the content of the files, or an error for a missing file. */
    private static String look(CommandSession session) {
        return LOOKED_AT.stream()
                .map(file -> session.answer("get sys/devices/virtual/neuron_device/neuron0/" + file))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void brokenRecordingIsRefusedOrReplayedAndRewound() {
        // given
        Path file = folder.resolve("host");

        // then
        Fuzzing.of(ReplayFuzzTest.class, "replay")
                .seeds(HOST, ENTRIES)
                .words(
                        "neuron1",
                        "neuron_core1",
                        " gone",
                        " -> ",
                        " = ",
                        "\nnew directory 0755 ",
                        " ! ENODEV",
                        "\nat 2\n",
                        "\ntimeline\n",
                        "\nend\n",
                        "busy\\n")
                .refusing(UncheckedIOException.class)
                .check(
                        input -> {
                            try {
                                return seen(Files.write(file, input));
                            } catch (UncheckedIOException refused) {
                                assertThat(refused.getMessage()).doesNotContain("\n", "\r", "\u001b");
                                throw refused;
                            }
                        },
                        (input, seen) ->
                                assertThat(seen.get(2)).isEqualTo(seen.get(0)).doesNotContainPattern(UNFORESEEN));
    }
}
