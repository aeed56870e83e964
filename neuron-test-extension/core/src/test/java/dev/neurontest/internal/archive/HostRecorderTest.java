package dev.neurontest.internal.archive;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeFault;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.Fault;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.platform.InProcessFixture;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostRecorderTest {

    private static final String STATUS =
            "directory 0755 sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/status/";
    private static final int ROOMY = 1 << 20;
    private static final Duration OFTEN = Duration.ofMillis(2);
    private static final Duration NEVER = Duration.ofHours(1);

    @AutoClose
    private FakeNeuronHost host;

    @BeforeEach
    void start() {
        host = FakeNeuronHost.builder()
                .instance("inf2.24xlarge")
                .layout("driver-2.30")
                .clock(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))
                .start();
    }

    private HostRecorder recorder(Duration interval, int limit) throws IOException {
        HostPicture picture = HostPicture.of(InProcessFixture.tree(host), HostPicture.Options.USUAL);
        return HostRecorder.start(picture, "neuron0"::equals, interval, limit);
    }

    private void execute(int device, String status, long times) {
        try (FakeProcess process = host.openProcess(host.device(device).core(0))) {
            process.execute(host.device(device).core(0), NrtStatus.of(status), times);
        }
    }

    private static String timeline(HostRecorder recorder) {
        String text = recorder.archive().text();
        return text.substring(text.indexOf("\ntimeline\n") + 1).replaceAll("at [0-9]+\\.[0-9]{3}\n", "at T\n");
    }

    @Test
    void writesOnlyChangesInOrderWithMarks() throws IOException {
        // given
        try (HostRecorder recorder = recorder(NEVER, ROOMY)) {
            // when
            recorder.mark("body started");
            execute(0, "NRT_TIMEOUT", 3);
            recorder.mark("body ended");
            recorder.stop();

            // then
            String timeline = timeline(recorder);
            assertThat(timeline)
                    .startsWith("timeline\nat T\nmark body started\nat T\ndirectory 0755 ")
                    .contains(STATUS + "timeout\n present 0644 = 3\\n\n total 0644 = 3\\n\n")
                    .endsWith("mark body ended\nend\n");
            assertThat(timeline.lines().filter(line -> line.startsWith("at "))).hasSize(2);
        }
    }

    @Test
    void recordsChangesPeriodicallyWithoutMarks() throws IOException {
        // given
        try (HostRecorder recorder = recorder(OFTEN, ROOMY)) {
            // when
            execute(0, "NRT_TIMEOUT", 3);

            // then
            await().untilAsserted(() -> assertThat(timeline(recorder)).contains(STATUS + "timeout\n"));
        }
    }

    @Test
    void watchesOnlySelectedDevices() throws IOException {
        // given
        try (HostRecorder recorder = recorder(NEVER, ROOMY)) {
            // when
            execute(1, "NRT_TIMEOUT", 3);
            recorder.stop();

            // then
            assertThat(timeline(recorder)).isEqualTo("timeline\nend\n");
        }
    }

    @Test
    void replacesValuesOfOlderPictureAtStart() throws IOException {
        // given
        HostPicture old = HostPicture.of(InProcessFixture.tree(host), HostPicture.Options.USUAL);
        execute(0, "NRT_TIMEOUT", 3);

        // when
        try (HostRecorder recorder = HostRecorder.start(old, "neuron0"::equals, NEVER, ROOMY)) {
            recorder.stop();

            // then
            assertThat(recorder.archive().text())
                    .contains(STATUS + "timeout\n present 0644 = 3\\n\n total 0644 = 3\\n\n");
        }
    }

    @Test
    void keepsLastValuesWhenChangesExceedLimit() throws IOException {
        // given
        try (HostRecorder recorder = recorder(OFTEN, 1)) {
            execute(0, "NRT_TIMEOUT", 1);
            await().until(() -> recorder.archive().coverage().shortfall() != null);

            // when
            execute(0, "NRT_TIMEOUT", 6);
            recorder.stop();

            // then
            assertThat(timeline(recorder)).contains(STATUS + "timeout\n present 0644 = 7\\n\n total 0644 = 7\\n\n");
            assertThat(recorder.archive().coverage().shortfall()).contains("more changes than a recording keeps");
            assertThat(timeline(recorder))
                    .endsWith(
                            "\nat T\nmark incomplete there were more changes than a recording keeps: from then on only the last values are correct\nend\n");
        }
    }

    @Test
    void recordsRemovalAndReturnOfDevice() throws IOException {
        // given
        try (HostRecorder recorder = recorder(NEVER, ROOMY)) {
            // when
            host.device(0).remove();
            recorder.mark("gone");
            recorder.mark("still gone");
            host.device(0).restore();
            recorder.stop();

            // then
            assertThat(timeline(recorder))
                    .startsWith("timeline\nat T\ngone sys/devices/virtual/neuron_device/neuron0\nmark gone\nat T\n"
                            + "mark still gone\nat T\ndirectory 0755 sys/devices/virtual/neuron_device/neuron0\n")
                    .contains(STATUS + "timeout\n present 0644 = 0\\n\n total 0644 = 0\\n\n");
        }
    }

    @Test
    void recordsNewFilesOfReturningDevice(@TempDir Path root) throws IOException {
        // given
        Path device = Files.createDirectories(root.resolve("sys/devices/virtual/neuron_device/neuron0"));
        Path moved = root.resolve("moved");
        Files.writeString(device.resolve("old"), "1");
        HostPicture picture = HostPicture.of(FileTree.at(root), HostPicture.Options.USUAL);
        try (HostRecorder recorder = HostRecorder.start(picture, "neuron0"::equals, NEVER, ROOMY)) {
            Files.move(device, moved);
            recorder.mark("gone");

            // when
            Files.writeString(moved.resolve("young"), "2");
            Files.writeString(Files.createDirectory(moved.resolve("more")).resolve("third"), "3");
            Files.move(moved, device);
            recorder.stop();

            // then
            assertThat(timeline(recorder).lines().map(line -> line.replaceFirst(" [0-7]{4} ", " MODE ")))
                    .endsWith(
                            "mark gone",
                            "at T",
                            "directory MODE sys/devices/virtual/neuron_device/neuron0",
                            " old MODE = 1",
                            " new young MODE = 2",
                            "new directory MODE sys/devices/virtual/neuron_device/neuron0/more",
                            " third MODE = 3",
                            "end");
        }
    }

    @Test
    void recordsFailureAndRecoveryOfFile() throws IOException {
        // given
        try (HostRecorder recorder = recorder(NEVER, ROOMY)) {
            // when
            FakeFault failing = host.device(0).core(0).fault(Fault.errno("stats/status/timeout/total", Errno.EIO));
            recorder.mark("failing");
            failing.close();
            recorder.stop();

            // then
            assertThat(timeline(recorder))
                    .isEqualTo("timeline\nat T\n" + STATUS + "timeout\n total 0644 ! EIO\nmark failing\nat T\n" + STATUS
                            + "timeout\n total 0644 = 0\\n\nend\n");
        }
    }

    @Test
    void reportsSlowFileReadOnlyAtStartAndEnd() throws IOException {
        // given
        host.device(0).core(0).fault(Fault.slow("stats/status/timeout/total", Duration.ofMillis(30)));
        HostPicture old = HostPicture.of(InProcessFixture.tree(host), HostPicture.Options.USUAL);
        execute(0, "NRT_TIMEOUT", 1);

        // when
        try (HostRecorder recorder = HostRecorder.start(old, "neuron0"::equals, NEVER, ROOMY)) {
            execute(0, "NRT_TIMEOUT", 3);
            recorder.mark("in the middle");
            recorder.stop();

            // then
            assertThat(recorder.archive().text())
                    .containsSubsequence(
                            STATUS + "timeout\n present 0644 = 1\\n\n total 0644 = 1\\n\n",
                            "\ntimeline\n",
                            STATUS + "timeout\n present 0644 = 4\\n\n",
                            "mark in the middle\n",
                            STATUS + "timeout\n total 0644 = 4\\n\nat ",
                            "\nmark seldom files that take more than 20 ms to read were read only at the beginning and at the end: sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/status/timeout/total\nend\n");
            assertThat(recorder.archive().coverage().shortfall())
                    .isEqualTo(
                            "files that take more than 20 ms to read were read only at the beginning and at the end: sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/status/timeout/total");
        }
    }

    @ParameterizedTest(name = "{0} times")
    @ValueSource(ints = {1, 3})
    void watchesTemporarilySlowFile(int slow) throws IOException {
        // given
        AtomicInteger reads = new AtomicInteger();
        HostPicture picture = HostPicture.of(
                hesitating(InProcessFixture.tree(host), "/neuron_core0/stats/status/timeout/total", reads, slow),
                HostPicture.Options.USUAL);

        // when
        try (HostRecorder recorder = HostRecorder.start(picture, "neuron0"::equals, NEVER, ROOMY)) {
            execute(0, "NRT_TIMEOUT", 3);
            recorder.stop();

            // then
            assertThat(reads).hasValueGreaterThan(slow);
            assertThat(timeline(recorder)).contains("timeout\n present 0644 = 3\\n\n total 0644 = 3\\n\n");
            assertThat(recorder.archive().coverage().shortfall()).isNull();
        }
    }

    /** Returns a tree in which the first reads of a file are slow. */
    private static HostTree hesitating(HostTree tree, String file, AtomicInteger reads, int slow) {
        return (HostTree) Proxy.newProxyInstance(
                HostTree.class.getClassLoader(), new Class<?>[] {HostTree.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("read")
                            && ((String) arguments[0]).endsWith("neuron0" + file)
                            && reads.getAndIncrement() < slow) {
                        TimeUnit.NANOSECONDS.sleep(Walk.SLOW.multipliedBy(2).toNanos());
                    }
                    return method.invoke(tree, arguments);
                });
    }

    @Test
    void keepsTimesOrderedWhenMarkPrecedesFirstReading() throws IOException {
        // given
        ChangeLog log = new ChangeLog(
                HostPicture.of(InProcessFixture.tree(host), HostPicture.Options.USUAL), "neuron0"::equals, ROOMY);
        long start = System.nanoTime();
        await().until(() -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(20));
        log.markOnly(List.of("test"));

        // when
        log.begin();
        execute(0, "NRT_TIMEOUT", 3);
        log.readFiles();

        // then
        assertThat(log.timeline(null).lines().filter(line -> line.startsWith("at ")))
                .hasSize(2)
                .isSortedAccordingTo(Comparator.comparing(line -> Double.valueOf(line.substring(3))));
    }

    @Test
    void marksTimelineIncompleteWhenHostDoesNotAnswer() throws IOException {
        // given
        HostPicture picture = HostPicture.of(InProcessFixture.tree(host), HostPicture.Options.USUAL);
        try (HostRecorder recorder =
                HostRecorder.start(picture, "neuron0"::equals, NEVER, ROOMY, Duration.ofMillis(100))) {
            host.device(0).core(0).fault(Fault.slow("stats/status/timeout/total", Duration.ofSeconds(30)));

            // when
            recorder.mark("body started");
            recorder.stop();

            // then
            assertThat(recorder.archive().coverage().shortfall()).contains("a reading took too long");
            assertThat(timeline(recorder))
                    .endsWith("\nmark body started\nat T\n"
                            + "mark incomplete a reading took too long, so some values are missing or late\nend\n");
        }
    }

    @Test
    void survivesFailedReadingAndReportsIt() throws IOException {
        // given
        AtomicBoolean breaks = new AtomicBoolean();
        HostTree tree = breaking(InProcessFixture.tree(host), breaks);
        HostPicture picture = HostPicture.of(tree, HostPicture.Options.USUAL);
        try (HostRecorder recorder = HostRecorder.start(picture, "neuron0"::equals, NEVER, ROOMY)) {
            breaks.set(true);

            // when
            recorder.mark("body started");
            breaks.set(false);
            execute(0, "NRT_TIMEOUT", 3);
            recorder.stop();

            // then
            assertThat(recorder.archive().coverage().shortfall())
                    .isEqualTo(
                            "a reading failed, so some values are missing or late: java.lang.IllegalStateException: no more memory maps");
            assertThat(recorder.archive().text())
                    .contains("mark body started\n", STATUS + "timeout\n present 0644 = 3\\n\n total 0644 = 3\\n\n");
        }
    }

    @Test
    void recordsPeriodicallyAgainAfterFailedReading() throws IOException {
        // given
        AtomicBoolean breaks = new AtomicBoolean();
        HostPicture picture = HostPicture.of(breaking(InProcessFixture.tree(host), breaks), HostPicture.Options.USUAL);
        try (HostRecorder recorder = HostRecorder.start(picture, "neuron0"::equals, OFTEN, ROOMY)) {
            breaks.set(true);
            await().until(() -> recorder.archive().coverage().shortfall() != null);

            // when
            breaks.set(false);
            execute(0, "NRT_TIMEOUT", 3);

            // then
            await().untilAsserted(() -> assertThat(timeline(recorder)).contains(STATUS + "timeout\n"));
        }
    }

    private static HostTree breaking(HostTree tree, AtomicBoolean breaks) {
        return (HostTree) Proxy.newProxyInstance(
                HostTree.class.getClassLoader(),
                new Class<?>[] {HostTree.class},
                (proxy, method, arguments) -> method.getName().equals("prepare")
                        ? breaking((HostTree.Batch) method.invoke(tree, arguments), breaks)
                        : method.invoke(tree, arguments));
    }

    private static HostTree.Batch breaking(HostTree.Batch batch, AtomicBoolean breaks) {
        return (HostTree.Batch) Proxy.newProxyInstance(
                HostTree.class.getClassLoader(), new Class<?>[] {HostTree.Batch.class}, (proxy, method, arguments) -> {
                    if (breaks.get() && method.getName().equals("read")) {
                        throw new IllegalStateException("no more memory maps");
                    }
                    return method.invoke(batch, arguments);
                });
    }

    @Test
    void leavesAnInterruptedThreadInterrupted() throws IOException {
        // given
        try (HostRecorder recorder = recorder(NEVER, ROOMY)) {
            // when
            Thread.currentThread().interrupt();
            recorder.mark("body ended");
            recorder.stop();

            // then
            assertThat(Thread.interrupted()).isTrue();
            assertThat(timeline(recorder)).isEqualTo("timeline\nat T\nmark body ended\nend\n");
        }
    }
}
