package dev.neurontest.fake.internal.command;

import static dev.neurontest.fake.internal.command.LauncherFixture.assumeRunnable;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.fake.CProgramFixture;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeView;
import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of programs at the real path with a mount, which offers more than ordinary files. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExecOnFuseIT {

    private static final String DEVICE = "/sys/devices/virtual/neuron_device/neuron0";
    private static final String TENSORS = DEVICE + "/neuron_core1/stats/memory_usage/device_mem/tensors/present";

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();
    private Path root;
    private List<String> mountsBefore;

    private static final class Tried {

        private static final Optional<String> REFUSED = mount();

        private static Optional<String> mount() {
            try (FakeNeuronHost host =
                    FakeNeuronHost.builder().view(FakeView.FUSE).start()) {
                host.directory();
                return host.viewFallback();
            }
        }
    }

    @BeforeEach
    void assumeMountable() throws IOException {
        mountsBefore = LauncherFixture.mounts(folder);
        assumeRunnable();
        assumeThat(Tried.REFUSED).isEmpty();
        root = folder.resolve("host");
    }

    @AfterEach
    void nothingIsLeftMounted() throws Exception {
        ExecFixture.stop(started);
        assertThat(LauncherFixture.mounts(folder)).isEqualTo(mountsBefore);
    }

    private Process run(String... command) throws IOException {
        Process process = ExecFixture.start(
                List.of("--instance", "inf2.xlarge", "--view", "fuse", "--root", root.toString()), command);
        started.add(process);
        return process;
    }

    /** Compiles a program that loads no C library, like a Go program. */
    private Path compileStatically() {
        assumeThat(Path.of("/usr/bin/gcc")).exists();
        return CProgramFixture.compile("watch_attribute", "-static");
    }

    @Test
    void pollWakesAStaticProgram() throws Exception {
        Process process = run(
                "sh",
                "-c",
                "echo 0 > \"$1\"; exec \"$2\" \"$3\"",
                "sh",
                DEVICE + "/info/notify_delay",
                compileStatically().toString(),
                TENSORS);
        BufferedReader out = process.inputReader();
        assertThat(out.readLine()).isEqualTo("0");

        ExecFixture.tell(root, "open P neuron0/neuron_core1", "alloc P neuron0/neuron_core1 tensors 4096");

        assertThat(out.readLine()).isEqualTo("PRI+ERR 4096");
    }

    @Test
    void readAfterAClearReturnsZero() throws Exception {
        Process process = run("sh", "-c", """
                read go
                cat "$1"
                echo 1 | tee "$1"
                cat "$1"
                stat -c %s "$1"
                """, "sh", TENSORS);
        ExecFixture.tell(root, "open P neuron0/neuron_core1", "alloc P neuron0/neuron_core1 tensors 4096");

        process.outputWriter().append("go\n").flush();

        assertThat(process.inputReader().lines()).containsExactly("4096", "1", "0", "4096");
    }

    @Test
    void theWholeTreeCanBeWalked() throws Exception {
        Process process = run(
                "sh",
                "-c",
                "find /sys/class/neuron_device/neuron0/ -name arch_type | wc -l; grep -r NCv2 /sys/devices/virtual/neuron_device"
                        + " | sort; tar -cf - -C /sys/devices/virtual neuron_device 2> /dev/null | wc -c");

        List<String> out = process.inputReader().lines().toList();
        assertThat(out.subList(0, 3))
                .containsExactly(
                        "3",
                        DEVICE + "/neuron_core0/info/architecture/arch_type:NCv2",
                        DEVICE + "/neuron_core1/info/architecture/arch_type:NCv2");
        assertThat(Integer.parseInt(out.get(3))).isGreaterThan(100_000);
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void mountIsRemovedWhenTheProgramEnds() throws Exception {
        Process process = run("true");

        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();

        assertThat(LauncherFixture.mounts(folder)).isEqualTo(mountsBefore);
        assertThat(Files.exists(root)).isFalse();
    }
}
