package dev.neurontest.internal.process;

import static dev.neurontest.internal.process.ProcessFixture.isGone;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.ChildEnd.Cause;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.ProgramNotStartedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessIT {

    private static final Duration SOON = Duration.ofMillis(300);

    @TempDir
    Path folder;

    private ChildProcess child;

    private ChildProcess start(String script) {
        return start(shell(script));
    }

    private ChildProcess start(ChildProcess.Builder builder) {
        child = builder.start();
        return child;
    }

    private static ChildProcess.Builder shell(String script) {
        return ChildProcess.command(List.of("/bin/sh", "-c", script));
    }

    @AfterEach
    void end() {
        if (child != null) {
            child.close();
        }
    }

    private long printedPid() {
        await().until(() -> child.stdout().endsWith("\n"));
        return Long.parseLong(child.stdout().strip());
    }

    @Test
    void reportsExitAndOutput() {
        // when
        ChildEnd end = start("echo out; echo err >&2; exit 3").await(null);

        // then
        assertThat(end.cause()).isEqualTo(Cause.EXITED);
        assertThat(end.exitCode()).contains(new ExitCode(3));
        assertThat(end.processes()).containsExactly(child.handle().pid());
        assertThat(end.leftRunning()).isEmpty();
        assertThat(end.survivors()).isEmpty();
        assertThat(end.killed()).isFalse();
        assertThat(end.notices()).isEmpty();
        assertThat(child.stdout()).isEqualTo("out\n");
        assertThat(child.stderr()).isEqualTo("err\n");
    }

    @Test
    void getsNoInput() {
        // when
        ChildEnd end = start("cat; echo end").await(null);

        // then
        assertThat(child.stdout()).isEqualTo("end\n");
        assertThat(end.exitCode()).contains(new ExitCode(0));
    }

    @Test
    void getsOnlyGivenEnvironment() {
        // given
        ChildEnvironment environment = new ChildEnvironment(name -> true, Map.of("COLOUR", "blue"));

        // when
        start(ChildProcess.command(List.of("/usr/bin/env")).environment(environment))
                .await(null);

        // then
        assertThat(child.stdout().lines().map(line -> line.replaceFirst("=.*", "")))
                .containsExactlyInAnyOrder("COLOUR", ProcessTree.MARK);
        assertThat(child.stdout()).contains("COLOUR=blue\n");
    }

    @Test
    void masksSecretEnvironmentValuesInOutput() {
        // given
        ChildEnvironment environment = new ChildEnvironment(name -> true, Map.of("MODEL_HUB_TOKEN", "h1b2c3d4e5f6"));

        // when
        start(shell("echo sent $MODEL_HUB_TOKEN to the hub").environment(environment))
                .await(null);

        // then
        assertThat(child.stdout()).isEqualTo("sent *** to the hub\n");
    }

    @Test
    void masksOutputLikeMessages() throws IOException {
        // given
        String printed = SecretFormsTest.forms().map(SecretFormsTest::secret).collect(Collectors.joining("\n\n\n\n\n"));
        Path file = Files.writeString(folder.resolve("printed.txt"), printed + "\n");

        // when
        start(ChildProcess.command(List.of("/bin/cat", file.toString()))).await(null);

        // then
        assertThat(child.stdout()).isEqualTo(Redaction.mask(printed + "\n"));
    }

    @Test
    void getsArgumentsUnchanged() {
        // when
        start(ChildProcess.command(List.of("/bin/echo", "$HOME", "a  b", "`id`", ";", "")))
                .await(null);

        // then
        assertThat(child.stdout()).isEqualTo("$HOME a  b `id` ; \n");
    }

    @Test
    void startsInItsWorkingDirectory() throws IOException {
        // when
        start(shell("pwd -P").directory(folder)).await(null);

        // then
        assertThat(child.stdout()).isEqualTo(folder.toRealPath() + "\n");
    }

    @Test
    void writesOutputToFilesWhileItRuns() {
        // when
        start(shell("echo begin; echo HF_TOKEN=abc >&2; exec sleep 600").output(folder.resolve("a/b")));

        // then
        await().untilAsserted(() -> {
            assertThat(folder.resolve("a/b/stdout.log")).hasContent("begin\n");
            assertThat(folder.resolve("a/b/stderr.log")).hasContent("HF_TOKEN=***\n");
        });
        assertThat(child.isAlive()).isTrue();
    }

    @Test
    void keepsSecretsFromDiskAndMemory() throws IOException {
        // when
        start(shell("""
                        echo AWS_SECRET_ACCESS_KEY=abc
                        echo -----BEGIN RSA PRIVATE KEY-----
                        echo MIIEpAIBAAKCAQEA
                        echo -----END RSA PRIVATE KEY-----
                        printf 'password: unended'
                        """).output(folder)).await(null);

        // then
        String expected = """
                AWS_SECRET_ACCESS_KEY=***
                -----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----
                password: ***""";
        assertThat(child.stdout()).isEqualTo(expected);
        assertThat(Files.readString(folder.resolve("stdout.log"))).isEqualTo(expected);
    }

    @Test
    void keepsBeginningAndEndOfAFlood() throws IOException {
        // given
        String flood = "echo begin; yes 'status: all is well' | head -c 10000007; echo; echo end";

        // when
        ChildEnd end = start(shell(flood).output(folder).outputLimit(100_000)).await(null);

        // then
        assertThat(end.exitCode()).contains(new ExitCode(0));
        assertThat(child.stdout())
                .hasSizeBetween(90_000, 100_100)
                .startsWith("begin\nstatus: all is well\n")
                .endsWith("status: all is well\nstatus:\nend\n")
                .containsPattern(
                        "\nstatus: all is well\n\n\\[\\.\\.\\. 99\\d{5} bytes left out \\.\\.\\.]\nstatus: all is well\n");
        assertThat(Files.readString(folder.resolve("stdout.log"))).isEqualTo(child.stdout());
    }

    @Test
    void keepsLineUpToConfiguredLength() {
        // when
        start(shell("head -c 200000 /dev/zero | tr '\\0' x").longestLine(200_000))
                .await(null);

        // then
        assertThat(child.stdout()).isEqualTo("x".repeat(200_000));
    }

    @Test
    void cutsALineWithoutEnd() throws IOException {
        // when
        start(shell("head -c 100000000 /dev/zero | tr '\\0' x").output(folder)).await(null);

        // then
        assertThat(child.stdout())
                .isEqualTo("x".repeat(LineAssembler.LONGEST) + " [... 99934464 bytes of this line left out ...]");
        assertThat(Files.readString(folder.resolve("stdout.log"))).isEqualTo(child.stdout());
    }

    @Test
    void exitsOnSigtermWhenStopped() {
        // given
        start("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done");
        await().until(() -> child.stdout().equals("ready\n"));

        // when
        ChildEnd end = child.stop();

        // then
        assertThat(end.cause()).isEqualTo(Cause.STOPPED);
        assertThat(end.exitCode()).contains(new ExitCode(0));
        assertThat(end.killed()).isFalse();
        assertThat(child.stdout()).isEqualTo("ready\nbye\n");
        assertThat(child.stop()).isSameAs(end);
    }

    @Test
    void isKilledWhenItDoesNotEndInTime() {
        // given
        start(shell("trap '' TERM; echo ready; while :; do sleep 0.05; done").stopsWithin(SOON));
        await().until(() -> child.stdout().equals("ready\n"));

        // when
        ChildEnd end = child.stop();

        // then
        assertThat(end.exitCode().flatMap(ExitCode::signal)).contains("SIGKILL");
        assertThat(end.killed()).isTrue();
        assertThat(end.survivors()).isEmpty();
        assertThat(isGone(child.handle().pid())).isTrue();
    }

    @Test
    void isEndedAtDeadlineWithoutWaiter() {
        // when
        start(shell("exec sleep 600").deadline(SOON));

        // then
        await().until(() -> !child.isAlive());
        assertThat(child.await(null).cause()).isEqualTo(Cause.TIMED_OUT);
        assertThat(child.await(null).exitCode().flatMap(ExitCode::signal)).contains("SIGTERM");
    }

    @Test
    void isEndedWhenWaitTimesOut() {
        // when
        ChildEnd end = start("exec sleep 600").await(SOON);

        // then
        assertThat(end.cause()).isEqualTo(Cause.TIMED_OUT);
        assertThat(isGone(child.handle().pid())).isTrue();
    }

    @Test
    void stopEndsItsChildren() {
        // given
        start("sleep 600 & echo $!; wait");
        long grandchild = printedPid();

        // when
        ChildEnd end = child.stop();

        // then
        assertThat(end.processes()).containsExactly(child.handle().pid(), grandchild);
        assertThat(end.leftRunning()).isEmpty();
        assertThat(isGone(grandchild)).isTrue();
    }

    @Test
    void endsChildrenLeftRunningAfterExit() {
        // given a grandchild that keeps the pipe open
        ChildEnd end = start("sleep 600 & echo $!").await(null);

        // then
        long grandchild = printedPid();
        assertThat(end.cause()).isEqualTo(Cause.EXITED);
        assertThat(end.exitCode()).contains(new ExitCode(0));
        assertThat(end.leftRunning()).containsExactly(grandchild);
        assertThat(end.survivors()).isEmpty();
        assertThat(end.notices()).isEmpty();
        assertThat(isGone(grandchild)).isTrue();
    }

    @Test
    void endsChildrenInOwnSessionThatIgnoreSigterm() {
        // given
        ChildEnd end = start(shell("""
                        setsid sh -c 'trap "" TERM; (while :; do sleep 0.05; done) & echo $!'
                        """).stopsWithin(SOON)).await(null);

        // then
        long grandchild = printedPid();
        assertThat(end.leftRunning()).contains(grandchild);
        assertThat(end.killed()).isTrue();
        assertThat(end.survivors()).isEmpty();
        assertThat(isGone(grandchild)).isTrue();
    }

    @Test
    void doesNotWaitForEscapedProcessWithOpenPipes() throws IOException {
        // given a child without the mark, with a parent that ends before it is found
        start(shell("""
                        sh -c 'env -i sleep 600 & until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done; echo $!'
                        echo both >&2
                        until [ -e read ]; do sleep 0.01; done
                        """).directory(folder));
        long escaped = printedPid();
        await().until(() -> child.stderr().equals("both\n"));
        try {
            // when
            Files.createFile(folder.resolve("read"));
            ChildEnd end = child.await(null);

            // then
            assertThat(isGone(escaped)).isFalse();
            assertThat(end.notices())
                    .containsExactly(
                            "stdout may be incomplete: a process that could not be ended still has it open.",
                            "stderr may be incomplete: a process that could not be ended still has it open.");
        } finally {
            ProcessHandle.of(escaped).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void limitsOutputKeptOfFloodingGrandchild() throws Exception {
        // given a JVM that has no room for it
        Process jvm = new ProcessBuilder(JvmCommand.program(List.of("-Xmx40m"), FloodedFixture.class))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();

        // then
        assertThat(jvm.inputReader().lines()).containsExactly("EXITED, killed: true, kept: true");
        assertThat(jvm.waitFor()).isZero();
    }

    /** A JVM with a child that ends at once and leaves a process behind that ignores SIGTERM and keeps printing. */
    static final class FloodedFixture {

        private FloodedFixture() {}

        public static void main(String[] arguments) {
            ChildProcess child = shell("(trap '' TERM; yes) & sleep 2")
                    .outputLimit(1 << 20)
                    .stopsWithin(Duration.ofSeconds(3))
                    .start();
            ChildEnd end = child.await(null);
            boolean kept = child.stdout().length() > 1_000_000 && child.stdout().contains(" bytes left out ");
            System.out.println(end.cause() + ", killed: " + end.killed() + ", kept: " + kept);
        }
    }

    @Test
    void isEndedWhenWaitingThreadIsInterrupted() throws Exception {
        // given
        start("exec sleep 600");
        CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
        CompletableFuture<ChildEnd> end = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            end.complete(child.await(null));
            stillInterrupted.complete(Thread.currentThread().isInterrupted());
        });
        waiting.start();

        // when
        waiting.interrupt();

        // then
        assertThat(end.get().cause()).isEqualTo(Cause.INTERRUPTED);
        assertThat(stillInterrupted.get()).isTrue();
        assertThat(isGone(child.handle().pid())).isTrue();
    }

    @Test
    void reportsItsAgeRepeatedly() {
        // given a child that is ended at the third notification of its age
        List<Duration> told = new ArrayList<>();
        start("exec sleep 600");

        // when
        ChildEnd end = child.await(Duration.ofMillis(30), Duration.ofMillis(20), age -> {
            told.add(age);
            if (told.size() == 3) {
                child.handle().destroy();
            }
        });

        // then
        assertThat(end.cause()).isEqualTo(Cause.EXITED);
        assertThat(told).hasSizeGreaterThanOrEqualTo(3).isSorted();
        assertThat(told.get(0)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
        assertThat(told.get(1)).isGreaterThanOrEqualTo(told.get(0).plusMillis(20));
    }

    @Test
    void reportsNoAgeWhenItEndsEarly() {
        // when
        List<Duration> told = new ArrayList<>();
        ChildEnd end = start("exit 3").await(Patience.LIMIT, Duration.ZERO, told::add);

        // then
        assertThat(end.exitCode()).contains(new ExitCode(3));
        assertThat(told).isEmpty();
    }

    @Test
    void isEndedWhenAgeListenerInterruptsThread() {
        // given
        start("exec sleep 600");

        // when
        ChildEnd end = child.await(
                Duration.ZERO, Patience.LIMIT, age -> Thread.currentThread().interrupt());

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(end.cause()).isEqualTo(Cause.INTERRUPTED);
    }

    @Test
    void isStoppedByInterruptedThread() {
        // given
        start("exec sleep 600");
        Thread.currentThread().interrupt();

        // when
        ChildEnd end = child.stop();

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(end.cause()).isEqualTo(Cause.STOPPED);
        assertThat(isGone(child.handle().pid())).isTrue();
    }

    @Test
    void followsNoLinkInItsFolder() throws IOException {
        // given
        Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "mine");
        Files.createSymbolicLink(folder.resolve("stdout.log"), elsewhere);

        // when
        ChildEnd end = start(shell("echo out").output(folder)).await(null);

        // then
        assertThat(elsewhere).hasContent("mine");
        assertThat(child.stdout()).isEqualTo("out\n");
        assertThat(end.notices()).singleElement().asString().startsWith("stdout is kept in memory only, ");
    }

    @Test
    void continuesReadingWhenListenerFails() {
        // given
        ChildProcess.Builder builder = shell("yes | head -c 1000000; echo end")
                .listener(
                        line -> {
                            throw new IllegalStateException("no");
                        },
                        line -> {});

        // when
        ChildEnd end = start(builder).await(null);

        // then
        assertThat(child.stdout()).endsWith("end\n");
        assertThat(end.notices())
                .containsExactly(
                        "Lines of stdout are no longer processed after a line that caused java.lang.IllegalStateException: no");
    }

    @Test
    void isEndedWhenItsJvmExits() throws Exception {
        // given
        Process jvm = new ProcessBuilder(JvmCommand.program(ExitingFixture.class))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();

        // when
        long pid = Long.parseLong(jvm.inputReader().readLine());
        int code = jvm.waitFor();

        // then
        assertThat(code).isEqualTo(5);
        assertThat(isGone(pid)).isTrue();
    }

    /** A JVM that exits while its child runs. */
    static final class ExitingFixture {

        private ExitingFixture() {}

        public static void main(String[] arguments) {
            System.out.println(shell("exec sleep 600").start().handle().pid());
            System.exit(5);
        }
    }

    @Test
    void namesMissingProgram() {
        // then
        assertThatThrownBy(() ->
                        ChildProcess.command(List.of("no-such-program", "x")).start())
                .isInstanceOf(ProgramNotStartedException.class)
                .hasMessage(
                        ("Cannot start \"no-such-program\": there is no such program in this JVM's PATH, which is %s. "
                                        + "Install it, add its folder to PATH, or use its absolute path.")
                                .formatted(System.getenv("PATH")));
        assertThatThrownBy(() -> ChildProcess.command(List.of(folder + "/none")).start())
                .hasMessage(
                        "Cannot start \"%1$s/none\": %1$s/none does not exist. Correct the path; a relative one starts from the working directory."
                                .formatted(folder));
        assertThatThrownBy(
                        () -> ChildProcess.command(List.of(folder.toString())).start())
                .hasMessage("Cannot start \"%1$s\": %1$s is a directory. Name the program in it.".formatted(folder));
    }

    @Test
    void explainsWhyProgramCannotBeRun() throws IOException {
        // given
        Path plain = Files.writeString(folder.resolve("plain"), "text");
        Path script = Files.writeString(folder.resolve("script"), "#!/no/such/interpreter\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();

        // then
        assertThatThrownBy(() -> ChildProcess.command(List.of(plain.toString())).start())
                .hasMessage(
                        "Cannot start \"%1$s\": %1$s is not executable. Run chmod +x, or name its interpreter as the program."
                                .formatted(plain));
        assertThatThrownBy(
                        () -> ChildProcess.command(List.of(script.toString())).start())
                .hasMessageStartingWith(
                        "Cannot start \"%1$s\": %1$s exists, but the system refused it (".formatted(script))
                .hasMessageEndingWith("If it is a script, check whether the interpreter in its first line exists.");
        assertThatThrownBy(() -> shell("true").directory(folder.resolve("none")).start())
                .hasMessage(
                        "Cannot start \"/bin/sh\": its working directory %s does not exist. Create it, or use another directory."
                                .formatted(folder.resolve("none")));
    }
}
