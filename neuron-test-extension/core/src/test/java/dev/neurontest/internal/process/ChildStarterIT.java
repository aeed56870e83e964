package dev.neurontest.internal.process;

import static dev.neurontest.internal.process.ProcessFixture.isGone;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.internal.process.orphan.Orphans;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.ProgramNotStartedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildStarterIT {

    @TempDir
    Path folder;

    private final List<Long> started = new ArrayList<>();
    private ChildProcess child;

    @AfterEach
    void end() {
        if (child != null) {
            child.close();
        }
        started.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    private static void needsSetpriv() {
        assumeThat(Path.of("/usr/bin/setpriv")).isExecutable();
    }

    /** Starts another JVM with a child that ignores SIGTERM and has a child itself. */
    private Process jvm(String path, String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(JvmCommand.program(StubbornChild.class, arguments));
        builder.environment().put("PATH", path);
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /** The main class of that JVM. */
    static final class StubbornChild {

        private StubbornChild() {}

        public static void main(String[] arguments) throws InterruptedException {
            ChildProcess.Builder child = ChildProcess.command(
                    arguments.length == 0
                            ? List.of("/bin/sh", "-c", "trap '' TERM; /bin/sleep 600 & echo $$ $!; wait")
                            : List.of(
                                    "/bin/sh",
                                    "-c",
                                    "trap 'echo ended > \"$0\"; exit' TERM; echo $$; while :; do sleep 0.1; done",
                                    arguments[0]));
            if (arguments.length > 0) {
                child.handlesTermination();
            }
            child.listener(System.out::print, System.err::print).start();
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    private List<Long> pids(Process jvm) throws IOException {
        String line =
                new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8)).readLine();
        for (String pid : line.split(" ")) {
            started.add(Long.parseLong(pid));
        }
        return started;
    }

    @Test
    void childEndsWithItsKilledJvm() throws Exception {
        // given
        needsSetpriv();
        Process jvm = jvm(System.getenv("PATH"));
        List<Long> pids = pids(jvm);

        // when
        jvm.destroyForcibly().waitFor();

        // then
        await().until(() -> isGone(pids.get(0)));
    }

    @Test
    void childHandlingSigtermIsSignalledWhenJvmIsKilled() throws Exception {
        // given
        needsSetpriv();
        Path file = folder.resolve("file");
        Process jvm = jvm(System.getenv("PATH"), file.toString());
        pids(jvm);

        // when
        jvm.destroyForcibly().waitFor();

        // then
        await().untilAsserted(() -> assertThat(file).hasContent("ended"));
    }

    @Test
    void childrenSurvivingSetprivAreEndedByNextJvm() throws Exception {
        // given
        Process jvm = jvm(System.getenv("PATH"));
        List<Long> pids = pids(jvm);

        // when
        jvm.destroyForcibly().waitFor();
        Orphans.end();

        // then
        assertThat(pids).allMatch(ProcessFixture::isGone);
    }

    @Test
    void withoutSetprivTheNextJvmEndsAll() throws Exception {
        // given
        Process jvm = jvm(folder.toString());
        List<Long> pids = pids(jvm);

        // when
        jvm.destroyForcibly().waitFor();
        Orphans.end();

        // then
        assertThat(pids).allMatch(ProcessFixture::isGone);
    }

    @Test
    void setprivWithoutSignalOptionIsNotUsed() throws Exception {
        // given the error message of an old version
        Path old = Files.createFile(
                folder.resolve("setpriv"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(old, "#!/bin/sh\necho 'setpriv: unrecognized option' >&2\nexit 1\n");
        Process jvm = jvm(folder.toString());

        // when
        List<Long> pids = pids(jvm);

        // then
        assertThat(pids).hasSize(2);
        jvm.destroyForcibly().waitFor();
        Orphans.end();
    }

    @Test
    void childOutlivesStartingThread() throws Exception {
        // given
        AtomicReference<ChildProcess> made = new AtomicReference<>();
        Thread test = new Thread(() -> made.set(
                ChildProcess.command(List.of("/bin/sh", "-c", "echo begun; sleep 0.5; echo lives; exec sleep 600"))
                        .start()));
        test.start();

        // when
        test.join();
        child = made.get();

        // then
        await().until(() -> child.stdout().equals("begun\nlives\n"));
        assertThat(child.isAlive()).isTrue();
    }

    private static String command(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ');
        } catch (IOException gone) {
            return "";
        }
    }

    @Test
    void commandLineShowsOnlyProgram() {
        // when
        child = ChildProcess.command(List.of("sleep", "600")).start();

        // then
        await().untilAsserted(() -> assertThat(command(child.handle().pid())).isEqualTo("sleep 600 "));
    }

    @Test
    void programIsSearchedInPathOfJvm() {
        // given a child with a path that leads nowhere
        ChildEnvironment environment = ChildEnvironment.INHERITED.with(Map.of("PATH", folder.toString()));

        // when
        child = ChildProcess.command(List.of("echo", "found"))
                .environment(environment)
                .start();

        // then
        assertThat(child.await(null).exitCode()).contains(new ExitCode(0));
        assertThat(child.stdout()).isEqualTo("found\n");
    }

    @Test
    void scriptWithoutItsInterpreterIsNotStarted() throws IOException {
        // given
        Path script = Files.createFile(
                folder.resolve("script"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(script, "#!/no/such/interpreter -x\n");

        // then
        assertThatThrownBy(
                        () -> ChildProcess.command(List.of(script.toString())).start())
                .isInstanceOf(ProgramNotStartedException.class)
                .hasMessageContaining("check whether the interpreter in its first line exists");
    }

    @Test
    void textWithoutInterpreterRunsInAShell() throws IOException {
        // given
        Path script = Files.createFile(
                folder.resolve("script"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(script, "echo shell\n");

        // when
        child = ChildProcess.command(List.of("./script")).directory(folder).start();

        // then
        assertThat(child.await(null).exitCode()).contains(new ExitCode(0));
        assertThat(child.stdout()).isEqualTo("shell\n");
    }
}
