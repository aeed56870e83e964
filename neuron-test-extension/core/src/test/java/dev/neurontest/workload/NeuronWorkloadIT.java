package dev.neurontest.workload;

import static dev.neurontest.internal.process.ProcessFixture.isGone;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.workload.WorkloadObserver;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.runtime.RuntimeCause;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.workload.ChildEnd.Cause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeuronWorkloadIT {

    private static final Duration SOON = Duration.ofMillis(300);

    @TempDir
    Path root;

    @TempDir
    Path folder;

    private final List<NeuronWorkload> started = new ArrayList<>();
    private HostFixture host;
    private List<NeuronCore> cores;

    @BeforeEach
    void host() {
        host = new HostFixture(root).devices(HostFixture.Kind.TRN2, 0, 1, 2, 3);
        cores = host.host().cores();
    }

    @AfterEach
    void endAll() {
        started.forEach(NeuronWorkload::close);
    }

    private NeuronWorkload.Builder shell(String script) {
        return NeuronWorkload.command("/bin/sh", "-c", script).on(cores.subList(8, 12));
    }

    /** Runs a failing program and returns the failure. */
    private static WorkloadFailure failure(NeuronWorkload.Builder builder) {
        return catchThrowableOfType(WorkloadFailure.class, builder::run);
    }

    private NeuronWorkload start(NeuronWorkload.Builder builder) {
        NeuronWorkload workload = builder.start();
        started.add(workload);
        return workload;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** A server in Java that waits for a file, listens on a port, and answers no request. */
    static final class ServerFixture {

        private ServerFixture() {}

        public static void main(String[] arguments) throws Exception {
            while (!Files.exists(Path.of(arguments[1]))) {
                Thread.sleep(10);
            }
            try (ServerSocket socket =
                    new ServerSocket(Integer.parseInt(arguments[0]), 50, InetAddress.getLoopbackAddress())) {
                while (true) {
                    socket.accept().close();
                }
            }
        }
    }

    private NeuronWorkload.Builder server(int port, Path go) {
        return NeuronWorkload.command(JvmCommand.program(ServerFixture.class, Integer.toString(port), go.toString()))
                .on(cores.get(0));
    }

    @Test
    void receivesOnlyItsCoresAndSettings() {
        // when
        WorkloadResult result = NeuronWorkload.command("/usr/bin/env")
                .on(cores.subList(8, 12))
                .tag("InferTest > fourCores()")
                .environment("NEURON_RT_EXEC_TIMEOUT", "10")
                .folder(folder)
                .run();

        // then
        String made = folder.resolve("workload-env").toString();
        assertThat(result.stdout().lines().filter(line -> line.startsWith("NEURON_")))
                .containsExactlyInAnyOrder(
                        "NEURON_RT_VISIBLE_CORES=8-11",
                        "NEURON_LOGICAL_NC_CONFIG=2",
                        "NEURON_PROCESS_TAG=InferTest > fourCores()",
                        "NEURON_RT_EXEC_TIMEOUT=10",
                        "NEURON_RT_LOCAL_CORE_DUMP_DIRECTORY=" + made + "/core-dump/dt-%d-cid-%c",
                        "NEURON_RT_DBG_INPUT_DUMP_DIRECTORY=" + made + "/input-dump",
                        "NEURON_RT_INSPECT_OUTPUT_DIR=" + made + "/inspect",
                        "NEURON_RT_OOM_DUMP_DIRECTORY=" + made);
        assertThat(result.visibleCores()).isEqualTo("8-11");
        assertThat(result.folder()).contains(folder.resolve("workload-env"));
        assertThat(folder.resolve("workload-env/stdout.log")).hasContent(result.stdout());
        assertThat(result.released()).isTrue();
    }

    @Test
    void reportsStatusesOfRuntime() {
        // when
        WorkloadFailure failure = failure(shell("echo 'nrt_execute status=1202' >&2; echo NRT_TIMEOUT; exit 3")
                .name("infer"));
        WorkloadResult result = failure.result();

        // then
        assertThat(result.name()).isEqualTo("infer");
        assertThat(result.statuses()).containsExactlyInAnyOrder(RuntimeStatus.of(1202), RuntimeStatus.of(5));
        assertThat(failure)
                .hasMessageStartingWith("Workload infer on cores 8-11 ended with exit code 3 after ")
                .hasMessageContaining("Cause: hardware that needs to be replaced.")
                .hasMessageContaining("Next: Replace the instance");
    }

    @Test
    void explainsStartCoreUnfitForCollectives() {
        // when
        WorkloadFailure failure = failure(
                shell("echo 'RuntimeError: NRT Failed to execute the model status=2 message=Invalid' >&2; exit 1")
                        .on(cores.subList(4, 12)));

        // then
        assertThat(failure)
                .hasMessageContaining("NRT_INVALID (2)")
                .hasMessageContaining(
                        "Collectives of Trn2 start at a multiple of the size of their group, and this program had"
                                + " cores 4-11. If it uses collectives, request its cores with @Count(value = 8, collectives = true).");
    }

    @Test
    void namesCoreCountsThatCollectivesSupport() {
        // when
        WorkloadFailure failure =
                failure(shell("echo 'ERROR NRT:nrt_load_collectives  Unsupported topology. Supported ...'; exit 1")
                        .on(cores.subList(0, 6)));

        // then
        assertThat(failure)
                .hasMessageContaining(
                        "Collectives of Trn2 run on 1, 2, 4, 8 or 16 cores, and this program had 6 (cores 0-5).");
    }

    @Test
    void givesNoHintOnCollectivesWhenPassed() {
        // when
        WorkloadResult result =
                shell("echo 'Unsupported topology'").on(cores.subList(0, 6)).run();

        // then
        assertThat(result.notices()).isEmpty();
    }

    @Test
    void reportsCoresTakenByAnotherProcess() {
        // when
        WorkloadResult result = shell(
                        "echo 'x 1:1 ERROR NRT:nrt_allocate_neuron_cores  NeuronCore(s) not available - Requested:4 Available:0'; exit 1")
                .ignoringExit()
                .run();

        // then
        assertThat(result.statuses()).containsExactly(RuntimeStatus.of(1));
        assertThat(result.report().first(RuntimeCause.CORES_TAKEN)).isPresent();
        assertThat(result.toText())
                .contains("NRT_FAILURE (1) at the start of the runtime: cores that another process has")
                .contains("NeuronCore(s) not available - Requested:4 Available:0");
    }

    @Test
    void treatsExitCodeOnlyAsHint() {
        // when
        WorkloadResult result = shell("exit 178").expectExit(178).run();

        // then
        assertThat(result.statuses()).isEmpty();
        assertThat(result.notices())
                .containsExactly(
                        "Its exit code may be the low eight bits of NRT_EXEC_HW_ERR_NC_UE (1202), an uncorrectable error of a core's memory, with wrong results. Nothing in its output confirms that.");
    }

    @Test
    void isKilledAtTimeout() {
        // when
        WorkloadFailure failure = failure(shell("trap '' TERM; while :; do sleep 0.05; done")
                .timeout(Duration.ofSeconds(10))
                .ignoringExit()
                .stopsWithin(SOON));
        WorkloadResult result = failure.result();

        // then
        assertThat(result.timedOut()).isTrue();
        assertThat(result.killed()).isTrue();
        assertThat(result.exitCode()).contains(new ExitCode(137));
        assertThat(result.notices())
                .contains("Some of its processes had not ended 300 ms after SIGTERM and were killed.");
        assertThat(isGone(result.pid())).isTrue();
        assertThat(failure).hasMessageContaining(" timed out and was ended ");
    }

    @Test
    void succeedsOnlyWithExpectedExitCodes() {
        // then
        assertThat(shell("exit 4").expectExit(3, 4).run().exitCode()).contains(new ExitCode(4));
        assertThat(failure(shell("exit 0").expectExit(3, 4)))
                .hasMessageContaining("  It should have ended with exit code 3 or 4.\n");
        assertThat(failure(shell("exit 3")))
                .hasMessageStartingWith("Workload sh on cores 8-11 ended with exit code 3 ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> shell("true").expectExit(0, 256))
                .withMessage("An exit code is a number from 0 to 255, not 256.");
    }

    @Test
    void succeedsWithAnyExitWhenIgnored() {
        // then
        assertThat(shell("kill -SEGV $$").ignoringExit().run().succeeded()).isTrue();
    }

    @Test
    void failsWhenItExitedBeforeStop() {
        // given
        NeuronWorkload server = start(shell("echo ready; exit 7").readyWhenPrinted("ready"));
        await().until(() -> !server.isAlive());

        // when
        WorkloadResult result = server.stop();

        // then
        assertThat(result.cause()).isEqualTo(Cause.EXITED);
        assertThat(result.succeeded()).isFalse();
    }

    @Test
    void succeedsWithAnyExitCodeWhenStopped() {
        // given
        NeuronWorkload server = start(shell("trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done")
                        .readyWhenPrinted("ready"))
                .awaitReady();

        // when
        WorkloadResult result = server.stop();

        // then
        assertThat(result.exitCode()).contains(new ExitCode(9));
        assertThat(result.succeeded()).isTrue();
    }

    @Test
    void stopsWithItsChildren() {
        // given
        NeuronWorkload workload = start(shell("sleep 600 & echo $!; wait").readyWhenPrinted("^[0-9]+\\s*$"))
                .awaitReady();
        long grandchild = Long.parseLong(workload.output().strip());

        // when
        WorkloadResult result = workload.stop();

        // then
        assertThat(result.stopped()).isTrue();
        assertThat(result.succeeded()).isTrue();
        assertThat(isGone(workload.pid())).isTrue();
        assertThat(isGone(grandchild)).isTrue();
        assertThat(workload.stop()).isSameAs(result);
        assertThat(workload.await()).isSameAs(result);
    }

    @Test
    void isReadyWhenItListens() throws IOException {
        // given
        int port = freePort();
        Path go = folder.resolve("go");
        NeuronWorkload server = start(server(port, go).readyWhenListening(port));
        CompletableFuture<NeuronWorkload> ready = CompletableFuture.supplyAsync(server::awaitReady);
        await().pollDelay(SOON).until(() -> server.isAlive() && !ready.isDone());

        // when
        Files.createFile(go);

        // then
        assertThat(ready.join()).isSameAs(server);
        assertThat(server.stop().exitCode()).contains(new ExitCode(143));
    }

    @Test
    void refusesToStartWhenPortIsTaken() throws IOException {
        // given
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();

            // then
            assertThatIllegalStateException()
                    .isThrownBy(
                            () -> server(port, folder).readyWhenListening(port).start())
                    .withMessage(
                            "Another program already listens on port %s of this machine, which would hide whether the workload is ready. End it, or use a free port.",
                            port);
        }
    }

    @Test
    void failsImmediatelyWhenItExitsBeforeReady() throws IOException {
        // given
        NeuronWorkload server = start(shell("echo 'no model' >&2; exit 7")
                .readyWhenListening(freePort())
                .readyWhenPrinted("Application startup complete"));

        // then
        assertThatExceptionOfType(WorkloadFailure.class)
                .isThrownBy(server::awaitReady)
                .withMessageContaining("ended with exit code 7 after ")
                .withMessageContaining("  It was not ready: no line matched \"Application startup complete\".\n")
                .withMessageContaining("  last lines of stderr:\n    no model\n")
                .satisfies(failure -> assertThat(failure.result().cause()).isEqualTo(Cause.EXITED));
    }

    @Test
    void failsWhenItExitsRightAfterReadyLine() {
        // given
        NeuronWorkload server = start(shell("echo ready; exit 7").readyWhenPrinted("ready"));
        await().until(() -> !server.isAlive());

        // then
        assertThatExceptionOfType(WorkloadFailure.class)
                .isThrownBy(server::awaitReady)
                .withMessageContaining("ended with exit code 7 after ")
                .withMessageContaining("It was not ready: it ended before its readiness was detected.");
    }

    @Test
    void refusesAwaitReadyWithoutReadyCondition() {
        // given
        NeuronWorkload server = start(shell("exec sleep 600").name("serve"));

        // then
        assertThatIllegalStateException()
                .isThrownBy(server::awaitReady)
                .withMessage(
                        "The workload serve has no condition for being ready: call readyWhenListening(port) or readyWhenPrinted(regex) before you start it.");
    }

    @Test
    void failsWhenItIsNotReadyInTime() {
        // given
        NeuronWorkload server =
                start(shell("exec sleep 600").readyWhenPrinted("ready").readyWithin(SOON));

        // then
        assertThatExceptionOfType(WorkloadFailure.class)
                .isThrownBy(server::awaitReady)
                .withMessageContaining("It was not ready: no line matched \"ready\" within 300 ms.");
        assertThat(isGone(server.pid())).isTrue();
    }

    @Test
    void endsWhenThreadIsInterruptedInAwaitReady() {
        // given
        NeuronWorkload server = start(shell("exec sleep 600").readyWhenPrinted("ready"));
        Thread.currentThread().interrupt();

        // then
        assertThatExceptionOfType(WorkloadFailure.class)
                .isThrownBy(server::awaitReady)
                .withMessageContaining("the thread that waited for it was interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(isGone(server.pid())).isTrue();
    }

    @Test
    void endsWhenThreadIsInterruptedInAwait() {
        // given
        NeuronWorkload workload = start(shell("exec sleep 600"));
        Thread.currentThread().interrupt();

        // when
        WorkloadFailure failure = catchThrowableOfType(WorkloadFailure.class, workload::await);

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure.result().cause()).isEqualTo(Cause.INTERRUPTED);
        assertThat(isGone(workload.pid())).isTrue();
    }

    @Test
    void waitsUntilDriverReleasesIt() throws Exception {
        // given a driver that has not cleaned up after the program yet
        NeuronWorkload workload = start(shell("exec sleep 600"));
        String process = "proc/" + workload.pid();
        host.link(process + "/fd/7", "/dev/neuron2").file(process + "/comm", "sleep\n");
        CompletableFuture<WorkloadResult> result = CompletableFuture.supplyAsync(workload::stop);
        await().until(() -> isGone(workload.pid()));
        assertThat(result).isNotDone();

        // when
        Files.delete(root.resolve(process + "/fd/7"));

        // then
        assertThat(result.get().released()).isTrue();
        assertThat(result.get().notices()).isEmpty();
    }

    @Test
    void reportsDevicesThatStayOpen() {
        // given
        NeuronWorkload workload = start(shell("exec sleep 600").releasedWithin(SOON));
        String process = "proc/" + workload.pid();
        host.link(process + "/fd/7", "/dev/neuron2")
                .file(process + "/comm", "sleep\n")
                .link("proc/1/fd/7", "/dev/neuron3");

        // when
        WorkloadResult result = workload.stop();

        // then
        String owner = "neuron2 by sleep (pid %s)".formatted(workload.pid());
        assertThat(result.stillOwned()).containsExactly(owner);
        assertThat(result.released()).isFalse();
        assertThat(result.notices())
                .containsExactly("300 ms after its end devices were still open: %s.".formatted(owner));
    }

    @Test
    void notifiesObserverOfStartAndEndOnce() {
        // given
        List<String> heard = new ArrayList<>();
        WorkloadObserver observer = new WorkloadObserver() {
            @Override
            public void started(ProcessHandle child, List<NeuronCore> on) {
                heard.add("started " + child.pid() + " " + on.size());
            }

            @Override
            public void ended(ProcessHandle child, WorkloadResult result) {
                heard.add("ended " + child.pid() + " " + result.cause());
            }
        };

        // when
        NeuronWorkload workload = start(shell("true").observer(observer));
        workload.await();
        workload.close();

        // then
        assertThat(heard).containsExactly("started " + workload.pid() + " 4", "ended " + workload.pid() + " EXITED");
    }

    @Test
    void leavesNoProcessWhenObserverThrows() {
        // given
        List<ProcessHandle> children = new ArrayList<>();
        WorkloadObserver observer = new WorkloadObserver() {
            @Override
            public void started(ProcessHandle child, List<NeuronCore> on) {
                children.add(child);
                throw new IllegalStateException("no");
            }
        };

        // then
        assertThatIllegalStateException()
                .isThrownBy(() -> shell("exec sleep 600").observer(observer).start())
                .withMessage("no");
        assertThat(children).singleElement().matches(child -> isGone(child.pid()));
    }

    @Test
    void keepsResultWhenObserverFailsAtEnd() {
        // given
        WorkloadObserver observer = new WorkloadObserver() {
            @Override
            public void ended(ProcessHandle child, WorkloadResult result) {
                throw new IllegalStateException("no");
            }
        };

        // when
        WorkloadResult result = shell("echo out").observer(observer).run();

        // then
        assertThat(result.stdout()).isEqualTo("out\n");
        assertThat(result.notices())
                .containsExactly("An observer of workloads failed at its end: java.lang.IllegalStateException: no");
    }

    @Test
    void masksSecretsInItsCommand() {
        // when
        WorkloadResult result = NeuronWorkload.command("true", "--token", "a b", "--batch", "8")
                .on()
                .run();

        // then
        assertThat(result.command()).containsExactly("true", "--token", "***", "--batch", "8");
        assertThat(result.visibleCores()).isEmpty();
    }

    @Test
    void createsNewFolderForEachRun() {
        // when
        Path first =
                shell("true").name("a/../b c").folder(folder).run().folder().orElseThrow();
        Path second =
                shell("true").name("a/../b c").folder(folder).run().folder().orElseThrow();

        // then
        assertThat(first).isEqualTo(folder.resolve("workload-a_.._b_c")).isDirectory();
        assertThat(second).isEqualTo(folder.resolve("workload-a_.._b_c-2")).isDirectory();
    }

    @Test
    void refusesLinkAsFolder() throws IOException {
        // given
        Path link = Files.createSymbolicLink(folder.resolve("link"), root);

        // then
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> shell("true").folder(link).start())
                .withMessageContaining("cannot be created in " + link)
                .withMessageContaining("it is a symbolic link, which is not followed");
    }

    @Test
    void refusesToStartWithoutCores() {
        // then
        assertThatIllegalStateException()
                .isThrownBy(() -> NeuronWorkload.command("true").start())
                .withMessage(
                        "The workload true has no cores. Without cores the runtime would take all cores of the host. Call on(cores), or on() if the program does not use the runtime.");
    }

    @Test
    void refusesCoresThatAreNotInARow() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NeuronWorkload.command("true").on(cores.get(0), cores.get(2)))
                .withMessageStartingWith("The cores 0, 2 are not in a row");
    }

    @Test
    void refusesImpossibleSettings() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> shell("true").timeout(Duration.ZERO))
                .withMessage("timeout must be longer than PT0S.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> shell("true").readyWhenListening(70_000))
                .withMessage("A port is a number from 1 to 65535, not 70000.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NeuronWorkload.command(List.of()))
                .withMessage("A workload needs a program: command(\"python\", \"serve.py\").");
    }

    @Test
    void namesMissingProgram() {
        // then
        assertThatThrownBy(() -> NeuronWorkload.command("no-such-program").on().start())
                .isInstanceOf(ProgramNotStartedException.class)
                .hasMessageStartingWith(
                        "Cannot start \"no-such-program\": there is no such program in this JVM's PATH");
    }
}
