package dev.neurontest.internal.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.jvm.JvmCommand;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a JVM that finds a fake at the real path of hardware. The fake never counts as hardware. */
class FakeAtRealPathIT {

    @TempDir
    private Path folder;

    private static List<String> java(String... words) {
        List<String> all = JvmCommand.java("-cp", System.getProperty("java.class.path"));
        all.addAll(List.of(words));
        return all;
    }

    private String doctor(String platform) throws Exception {
        List<String> words = new ArrayList<>(
                java("dev.neurontest.fake.internal.command.FakeSysfsCommand", "exec", "--instance", "inf2.xlarge"));
        words.addAll(List.of("--root", folder.resolve("host").toString(), "--"));
        words.addAll(java(
                "-Dneuron.test.platform=" + platform, "dev.neurontest.internal.command.NeuronTestCommand", "doctor"));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeThat(process.waitFor()).as(out).isNotEqualTo(125);
        return out;
    }

    @Test
    void isNoHardware() throws Exception {
        Path root = folder.resolve("host");

        assertThat(doctor("real"))
                .containsPattern(
                        "/sys/devices/virtual/neuron_device belongs to a fake \\(on \\w+, not sysfs\\) and is not hardware; "
                                + "set neuron.test.platform=root:" + root + " to use it");
    }

    @Test
    void canBeChosenAsHostRoot() throws Exception {
        assertThat(doctor("root:" + folder.resolve("host")))
                .contains("inf2.xlarge")
                .doesNotContain("is not hardware");
    }
}
