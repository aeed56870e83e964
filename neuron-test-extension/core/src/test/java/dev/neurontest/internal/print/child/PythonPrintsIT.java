package dev.neurontest.internal.print.child;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.fake.FakePrint;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.configuration.WorkloadPrints;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.print.stream.PrintLog;
import dev.neurontest.internal.print.stream.StreamFixture;
import dev.neurontest.internal.print.stream.StreamOptions;
import dev.neurontest.patience.Patience;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a Python program without knowledge of this extension, on the stand-in library. */
class PythonPrintsIT {

    @TempDir
    private Path folder;

    private final StreamFixture fixture;
    private final List<ChildPrints> opened = new ArrayList<>();
    private final List<Process> started = new ArrayList<>();

    PythonPrintsIT() throws IOException {
        fixture = new StreamFixture();
    }

    @BeforeAll
    static void needsPython() {
        assumeThat(runs("python3", "--version")).as("there is a python3").isTrue();
    }

    private static boolean runs(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void end() throws IOException {
        started.forEach(Process::destroyForcibly);
        opened.forEach(ChildPrints::close);
        fixture.close();
    }

    private ChildPrints open() {
        ChildPrints prints = ChildPrints.open(
                WorkloadPrints.PYTHON,
                () -> folder,
                StreamOptions.DEFAULTS.settle(Duration.ofMillis(20), Patience.LIMIT),
                new PrintLog(() -> folder));
        opened.add(prints);
        return prints;
    }

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("python3"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out-" + started.size() + ".txt").toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Process workload(ChildPrints prints, String how) throws IOException {
        return workload(prints.environment(Map.of()), how);
    }

    private Process workload(Map<String, String> environment, String how) throws IOException {
        Path script;
        try {
            script = Path.of(PythonPrintsIT.class.getResource("/workload.py").toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        return start(
                environment,
                script.toString(),
                how,
                fixture.fake()
                        .directory()
                        .resolve("opt/aws/neuron/lib/libnrt.so.1")
                        .toString(),
                fixture.neff().toString(),
                folder.resolve("stop").toString());
    }

    private void stopPrinting(String how) throws IOException {
        Path written = Files.writeString(folder.resolve("stopping"), how);
        Files.move(written, folder.resolve("stop"));
    }

    private static void awaitPrints(PrintFeed prints) {
        await().until(() -> !prints.prints().isEmpty());
    }

    private String output(int number) {
        try {
            return Files.readString(folder.resolve("out-" + number + ".txt"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ends(Process process) throws InterruptedException {
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(process.exitValue()).as(output(0)).isZero();
    }

    @Test
    void forwardsPrintsWhileProgramRunsAndAtItsEnd() throws Exception {
        // given
        fixture.kernel()
                .print(FakePrint.of("acc", "float32", 2, 3).arange().pipe(1).coreId(5));
        ChildPrints prints = open();
        Process process = workload(prints, "here");

        // when
        awaitPrints(prints);
        fixture.kernel().print(FakePrint.of("last", "uint8", 100_000));
        stopPrinting("");
        ends(process);
        prints.close();

        // then
        DevicePrint first = prints.prints().get(0);
        assertThat(first)
                .returns("acc", DevicePrint::prefix)
                .returns(List.of(2L, 3L), DevicePrint::shape)
                .returns(0, DevicePrint::coreIndex)
                .returns(5L, DevicePrint::coreId)
                .returns(1L, DevicePrint::pipe)
                .returns(PrintOrigin.FORWARDED, DevicePrint::origin);
        assertThat(Float.intBitsToFloat(first.data().intAt(20))).isEqualTo(5);
        assertThat(prints.prints().get(prints.prints().size() - 1).prefix()).isIn("acc", "last");
        assertThat(prints.oddEvents()).isEmpty();
        assertThat(prints.doubts()).isEmpty();
    }

    @Test
    void forwardsEverythingBeforeTheRuntimeIsClosed() throws Exception {
        // given
        fixture.kernel().print(FakePrint.of("acc", "int32", 1));
        ChildPrints prints = open();
        Process process = workload(prints, "here");
        awaitPrints(prints);

        // when
        prints.settle();
        stopPrinting("close");
        ends(process);
        prints.close();

        // then
        assertThat(prints.doubts()).isEmpty();
    }

    @Test
    void reportsNumberOfPrintsLostByClosingRuntime() throws Exception {
        // given
        fixture.kernel().print(FakePrint.of("acc", "int32", 1).times(3));
        ChildPrints prints = open();

        // when the thread that forwards does not run between the execution and the end of the runtime
        runs(prints, "", "connected.wait()", "nrt.nrt_close(); go_on.set(); lost.wait()");

        // then
        assertThat(prints.prints()).isEmpty();
        assertThat(prints.doubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(PrintDoubt.Kind.LOST);
            assertThat(doubt.reason()).contains("before 3 of its prints on core 0 were read");
        });
    }

    @Test
    void settlesWhileProgramPrintsFasterThanReader() throws Exception {
        // given
        fixture.kernel().print(FakePrint.of("acc", "int32", 1).times(4_000));
        ChildPrints prints = open();
        Map<String, String> environment = new HashMap<>(prints.environment(Map.of()));
        environment.put("NEURON_RT_DEBUG_STREAM_BUFFER_SIZE", "4096");
        Process process = workload(environment, "here");
        awaitPrints(prints);

        // when
        prints.settle();

        // then
        assertThat(prints.doubts()).extracting(PrintDoubt::kind).doesNotContain(PrintDoubt.Kind.UNSETTLED);
        stopPrinting("close");
        ends(process);
    }

    @Test
    void doubtsPrintsOfAStreamThatMayHaveBeenFull() throws Exception {
        // given
        fixture.kernel().print(FakePrint.of("acc", "int32", 1).times(20_000));
        ChildPrints prints = open();
        Map<String, String> environment = new HashMap<>(prints.environment(Map.of()));
        assertThat(environment).containsEntry("NEURON_RT_DEBUG_STREAM_BUFFER_SIZE", "262144");
        environment.put("NEURON_RT_DEBUG_STREAM_BUFFER_SIZE", "16");
        Process process = workload(environment, "here");
        awaitPrints(prints);

        // when
        stopPrinting("close");
        ends(process);
        prints.close();

        // then
        assertThat(prints.doubts())
                .extracting(PrintDoubt::reason)
                .anyMatch(reason -> reason.startsWith("The debug stream of core 0 of process " + process.pid()
                        + " returned 15 events without being empty once, and holds 16"));
    }

    /**
     * A program that executes once. Its forwarding thread waits for the event {@code go_on} after it has connected to
     * the last core.
     */
    private static final String PROGRAM = """
            import ctypes, os, socket, struct, sys, threading, time
            connected, go_on, lost = threading.Event(), threading.Event(), threading.Event()
            # On a busy machine the thread that forwards may take longer than a program waits for it.
            threading.Thread.join = lambda self, timeout=None, join=threading.Thread.join: join(self)
            def send(channel, data, sendall=socket.socket.sendall):
                sendall(channel, data)
                if data[:8] == struct.pack("<II", 2, 1):
                    connected.set()
                    go_on.wait()
                elif data[:4] == struct.pack("<I", 7):
                    lost.set()
            socket.socket.sendall = send
            %s
            nrt = ctypes.CDLL(sys.argv[1])
            assert nrt.nrt_init(1, b"", b"") == 0
            neff = open(sys.argv[2], "rb").read()
            model, inputs, outputs = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
            assert nrt.nrt_load(neff, ctypes.c_size_t(len(neff)), 0, 1, ctypes.byref(model)) == 0
            nrt.nrt_allocate_tensor_set(ctypes.byref(inputs))
            nrt.nrt_allocate_tensor_set(ctypes.byref(outputs))
            %s
            assert nrt.nrt_execute(model, inputs, outputs) == 0
            %s
            """;

    /** Code that sets {@code go_on} when the forwarding thread is woken at the end of the program. */
    private static final String GO_ON_AT_EXIT = """
            def wake(descriptor, data, write=os.write):
                written = write(descriptor, data)
                go_on.set()
                return written
            os.write = wake
            """;

    private void runs(ChildPrints prints, String atFirst, String beforeExecution, String afterExecution)
            throws Exception {
        ends(start(
                prints.environment(Map.of()),
                "-c",
                PROGRAM.formatted(atFirst, beforeExecution, afterExecution),
                fixture.fake()
                        .directory()
                        .resolve("opt/aws/neuron/lib/libnrt.so.1")
                        .toString(),
                fixture.neff().toString()));
        prints.close();
    }

    @Test
    void doubtsPrintsWhenOneIsUnreadable() throws Exception {
        // when
        ChildPrints prints = printsWithAnUnreadableOne("go_on.set()");

        // then
        assertOneIsUnreadable(prints);
    }

    @Test
    void forwardsPrintsAfterUnreadableOneAtExit() throws Exception {
        // when
        ChildPrints prints = printsWithAnUnreadableOne(GO_ON_AT_EXIT);

        // then
        assertOneIsUnreadable(prints);
    }

    private ChildPrints printsWithAnUnreadableOne(String goOn) throws Exception {
        fixture.kernel()
                .print(FakePrint.of("acc", "int32", 1))
                .event((long) NrtStatus.NRT_RESOURCE.code() << Integer.SIZE, 0, new byte[0])
                .print(FakePrint.of("acc", "int32", 1));
        ChildPrints prints = open();
        runs(prints, goOn, "connected.wait()", "");
        return prints;
    }

    private static void assertOneIsUnreadable(ChildPrints prints) {
        assertThat(prints.prints()).hasSize(2);
        assertThat(prints.doubts())
                .singleElement()
                .satisfies(
                        doubt -> assertThat(doubt.reason())
                                .endsWith(
                                        "cannot be read: nrt_debug_client_read_one_event returned 4 for core 0, and an event may be lost."));
    }

    @Test
    void doubtsPrintsOfStreamOfUnknownSize() throws Exception {
        // given: a program that does not pass its environment on, which leaves the size of the ring to the runtime
        fixture.kernel().print(FakePrint.of("acc", "int32", 1).times(200_000));
        ChildPrints prints = open();

        // when
        runs(prints, "del os.environ['NEURON_RT_DEBUG_STREAM_BUFFER_SIZE']", "connected.wait()", """
                def unread():
                    for descriptor in os.listdir("/proc/self/fdinfo"):
                        try:
                            with open("/proc/self/fdinfo/" + descriptor) as file:
                                yield from (int(line.split()[1], 16) for line in file if line.startswith("eventfd-count:"))
                        except OSError:
                            pass
                go_on.set()
                while any(unread()):
                    time.sleep(0.01)
                """);

        // then
        assertThat(prints.prints()).hasSizeLessThan(200_000);
        assertThat(prints.doubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(PrintDoubt.Kind.FULL);
            assertThat(doubt.reason()).contains("its capacity is unknown");
        });
    }

    @Test
    void doubtsPrintsWhenForwardingFails() throws Exception {
        // given: room for the file descriptor of the stream, and for no copy of it
        fixture.kernel().print(FakePrint.of("acc", "int32", 1).times(3));
        ChildPrints prints = open();

        // when
        runs(
                prints,
                """
                def refuse(descriptor):
                    raise OSError(24, "Too many open files")
                os.dup = refuse
                """,
                "[other.join() for other in threading.enumerate() if other is not threading.main_thread()]",
                "");

        // then
        assertThat(prints.prints()).isEmpty();
        assertThat(prints.doubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(PrintDoubt.Kind.UNAVAILABLE);
            assertThat(doubt.reason()).endsWith("Too many open files.");
        });
    }

    @Test
    void keepsStreamSizeSetByUser() {
        // then
        assertThat(open().environment(Map.of("NEURON_RT_DEBUG_STREAM_BUFFER_SIZE", "1024")))
                .doesNotContainKey("NEURON_RT_DEBUG_STREAM_BUFFER_SIZE");
    }

    @Test
    void forwardsPrintsOfSpawnedProcesses() throws Exception {
        // given
        fixture.kernel().print(FakePrint.of("acc", "int32", 1));
        ChildPrints prints = open();
        Process process = workload(prints, "spawn");

        // when
        awaitPrints(prints);
        stopPrinting("");
        ends(process);
        prints.close();

        // then
        assertThat(prints.prints()).isNotEmpty();
        assertThat(prints.doubts()).isEmpty();
    }

    @Test
    void namesAProcessThatWasKilled() throws Exception {
        // given
        fixture.kernel().print(FakePrint.of("acc", "int32", 1));
        ChildPrints prints = open();
        Process process = workload(prints, "here");
        awaitPrints(prints);

        // when
        process.destroyForcibly().waitFor();
        prints.close();

        // then
        assertThat(prints.doubts()).hasSize(1);
        assertThat(prints.doubts().get(0).kind()).isIn(PrintDoubt.Kind.UNSETTLED, PrintDoubt.Kind.UNREADABLE);
        assertThat(prints.doubts().get(0).reason()).contains("rocess " + process.pid());
        await().until(() -> fixture.fake().processes().isEmpty());
    }

    @Test
    void runsHiddenSitecustomizeOfUser() throws Exception {
        // given
        Path own = Files.createDirectory(folder.resolve("own"));
        Files.writeString(own.resolve("sitecustomize.py"), "print('hidden one runs')\n");
        ChildPrints prints = open();
        // when
        ends(start(prints.environment(Map.of("PYTHONPATH", own.toString())), "-c", "print('program runs')"));
        prints.close();

        // then
        assertThat(output(0)).isEqualTo("hidden one runs\nprogram runs\n");
        assertThat(prints.doubts()).isEmpty();
    }

    @Test
    void unsetsDebugOutputDirectoryOfProgram() throws Exception {
        // given
        ChildPrints prints = open();
        // when
        Map<String, String> environment = new HashMap<>(prints.environment(Map.of()));
        environment.put(ChildPrints.OUTPUT_DIR, folder.toString());
        ends(start(environment, "-c", "import os; print(os.getenv('NEURON_RT_DEBUG_OUTPUT_DIR'))"));

        // then
        assertThat(output(0)).isEqualTo("None\n");
    }

    @Test
    void reportsWhenNoProgramForwardedPrints() throws Exception {
        // given
        ChildPrints prints = open();
        // when
        ends(start(prints.environment(Map.of()), "-I", "-c", "pass"));
        prints.close();

        // then
        assertThat(prints.doubts())
                .containsExactly(
                        new PrintDoubt(
                                PrintDoubt.Kind.UNAVAILABLE,
                                "No process forwarded its prints. Only Python does that automatically, unless it is started with -S, -I or -E, or its PYTHONPATH is replaced."));
    }
}
