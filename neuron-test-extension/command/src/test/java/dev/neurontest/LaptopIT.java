package dev.neurontest;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.internal.command.CommandFixture;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.laptop.Laptop;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.workload.Workloads;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests of the first steps of users on systems that have other files than Linux, without JNA. */
class LaptopIT {

    private static final String FAKE = "fake:trn1.2xlarge";

    @TempDir
    private Path folder;

    /** Runs a fixture and a report in a JVM that has only the files of the system, and returns its output. */
    private String outputOn(Laptop laptop, String platform, Class<?> fixture) throws Exception {
        List<String> options = new ArrayList<>(laptop.options());
        options.addAll(List.of(
                "-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("tmp")),
                "-Dneuron.test.platform=" + platform,
                "-Dneuron.test.output=" + folder.resolve("run")));
        Path log = folder.resolve("jvm.log");
        List<String> words = JvmCommand.program(options, Steps.class, fixture.getName(), folder.toString());
        words.replaceAll(word -> Stream.of(word.split(File.pathSeparator))
                .filter(entry -> !entry.contains("/jna-"))
                .collect(joining(File.pathSeparator)));
        Process jvm = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jvm.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            jvm.destroyForcibly();
        }
        return Files.readString(log);
    }

    @ParameterizedTest
    @EnumSource
    void runsTestsOnTheFakeAndJudgesThem(Laptop laptop) throws Exception {
        assertThat(outputOn(laptop, FAKE, OnFakeFixture.class))
                .contains(
                        "failed: org.opentest4j.AssertionFailedError: neuron0/neuron_core0 other_info/inference_count:"
                                + " expected +100, was +99\n")
                .contains("1 passed, 1 failed\n")
                .contains("FAILED LaptopIT$OnFakeFixture > findsMissingExecutions")
                .contains("report ended with 1\n");
        assertThat(folder.resolve("report.html")).content().contains("findsMissingExecutions");
    }

    @ParameterizedTest
    @EnumSource
    void readsPrintsOfASimulatedKernelWithoutHost(Laptop laptop) throws Exception {
        assertThat(outputOn(laptop, "auto", SimulatedFixture.class)).contains("1 passed, 0 failed\n");
    }

    @Test
    void failsTestThatNeedsFilesOfTheHostOnWindows() throws Exception {
        assertThat(outputOn(Laptop.WINDOWS, FAKE, NeedsFilesFixture.class))
                .contains(
                        "cannot make the directory of trn1.2xlarge@driver-2.30: this system has no POSIX permissions,")
                .contains("@DisabledOnOs(OS.WINDOWS)")
                .contains("0 passed, 1 failed\n");
    }

    /** The program of the JVM. */
    static final class Steps {

        private Steps() {}

        public static void main(String[] arguments) throws Exception {
            SummaryGeneratingListener tests = new SummaryGeneratingListener();
            try (LauncherSession session = LauncherFactory.openSession()) {
                session.getLauncher()
                        .execute(
                                LauncherDiscoveryRequestBuilder.request()
                                        .selectors(selectClass(arguments[0]))
                                        .build(),
                                tests);
            }
            TestExecutionSummary summary = tests.getSummary();
            summary.getFailures().forEach(failure -> System.out.println("failed: " + failure.getException()));
            System.out.printf(
                    "%s passed, %s failed%n", summary.getTestsSucceededCount(), summary.getTestsFailedCount());
            Path folder = Path.of(arguments[1]);
            CommandFixture report = CommandFixture.run(
                    "report",
                    "--gate=" + Files.writeString(folder.resolve("gates"), "failed.max = 0\n"),
                    "--html=" + folder.resolve("report.html"),
                    folder.resolve("run").toString());
            System.out.print(report.out() + report.err());
            System.out.printf("report ended with %s%n", report.status());
        }
    }

    @NeuronTest
    static class OnFakeFixture {

        @Test
        @ExpectCounter(value = "inference_count", delta = 100)
        void countsExecutions(NeuronCore core, FakeNeuronHost fake) {
            assertThat(Path.of("/proc/self")).doesNotExist();
            assertThatExceptionOfType(ClassNotFoundException.class)
                    .isThrownBy(() -> Class.forName("com.sun.jna.Native"));
            try (FakeProcess process = fake.openProcess("python3", core)) {
                process.execute(core, 100);
            }
        }

        @Test
        @ExpectCounter(value = "inference_count", delta = 100)
        void findsMissingExecutions(NeuronCore core, FakeNeuronHost fake) {
            try (FakeProcess process = fake.openProcess("python3", core)) {
                process.execute(core, 99);
            }
        }
    }

    @NeuronTest
    static class SimulatedFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void readsPrintsOfASimulatedKernel(Workloads workloads, DevicePrints prints) {
            workloads.command("echo", "acc [1 2]").simulated().run();
        }
    }

    @NeuronTest
    static class NeedsFilesFixture {
        @Test
        void opensAFolderOfTheHost(FakeNeuronHost fake) {
            fake.directory();
        }
    }
}
