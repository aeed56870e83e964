package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the first tests on a host with error counters that do not answer, so its first reading takes a while. */
@EnabledOnOs(OS.LINUX)
class SlowHostTest {

    private static NeuronTestKit kit;
    private static List<RunEvent.HostErrors> seen;

    @TempDir
    private Path folder;

    /** Copies the files of a fake host, which would restore its counters, and replaces counters by pipes. */
    @BeforeEach
    void makeHost() throws IOException, InterruptedException {
        Path root = folder.resolve("host");
        try (FakeNeuronHost served =
                        FakeNeuronHost.builder().instance("trn1.32xlarge").start();
                Stream<Path> files = Files.walk(served.directory())) {
            for (Path file : files.toList()) {
                Path copy = root.resolve(served.directory().relativize(file).toString());
                if (isNode(file)) {
                    Files.createFile(copy);
                } else {
                    Files.copy(file, copy, LinkOption.NOFOLLOW_LINKS);
                }
            }
        }
        for (int device = 8; device < 16; device++) {
            Path counter = root.resolve(
                    "sys/devices/virtual/neuron_device/neuron" + device + "/stats/hardware/mem_ecc_uncorrected");
            Files.delete(counter);
            assertThat(new ProcessBuilder("mkfifo", counter.toString()).start().waitFor())
                    .isZero();
        }
        kit = new NeuronTestKit(folder).on("root:" + root);
        seen = List.of();
    }

    private static boolean isNode(Path file) {
        return !Files.isSymbolicLink(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    @NeuronTest
    static class TakesHostFixture {
        @Test
        void test(NeuronHost host) {
            seen = kit.events(RunEvent.HostErrors.class);
        }
    }

    @NeuronTest
    static class TakesCoreFixture {
        @Test
        void test(@NeuronIndex(0) NeuronCore core) {}
    }

    @Test
    void testThatTakesTheHostBeginsAfterAllDevicesAreRead() {
        // when
        kit.run(TakesHostFixture.class);

        // then
        assertThat(seen).extracting(RunEvent.HostErrors::moment).containsExactly(RunEvent.Moment.START);
    }

    @Test
    void testIsJudgedAfterAllDevicesAreRead() {
        // when
        kit.run(TakesCoreFixture.class);

        // then
        List<RunEvent> events = kit.events();
        int read = events.indexOf(kit.events(RunEvent.HostErrors.class).get(0));
        assertThat(events.subList(read, events.size()))
                .filteredOn(event -> event instanceof RunEvent.PhaseStarted started && started.phase() == Phase.JUDGE)
                .hasSize(1);
    }
}
