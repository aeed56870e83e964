package dev.neurontest.internal.process;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.ProgramNotStartedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramLockIT {

    @TempDir
    Path folder;

    private final List<ChildProcess> children = new ArrayList<>();
    private ProgramLock lock;

    @BeforeEach
    void createLock() {
        assumeThat(ProgramLock.isAvailable())
                .as("a flock of util-linux that becomes a program")
                .isTrue();
        lock = lock("lease-1");
    }

    private ProgramLock lock(String name) {
        Path file = folder.resolve(name);
        return ProgramLock.create("jvm-1-a-1/" + name, file, () -> opened(file, StandardOpenOption.CREATE_NEW))
                .orElseThrow();
    }

    private static Closeable opened(Path file, StandardOpenOption... how) throws IOException {
        List<StandardOpenOption> options = new ArrayList<>(List.of(how));
        options.add(StandardOpenOption.WRITE);
        return FileChannel.open(file, options.toArray(StandardOpenOption[]::new));
    }

    @AfterEach
    void end() {
        children.forEach(ChildProcess::close);
        if (lock != null) {
            lock.close();
        }
    }

    private ChildProcess start(String... command) {
        return start(ChildProcess.command(List.of(command)));
    }

    private ChildProcess start(ChildProcess.Builder builder) {
        ChildProcess child = builder.locks(List.of(lock)).start();
        children.add(child);
        return child;
    }

    private ProgramLock.State state() {
        Path file = folder.resolve("lease-1");
        return ProgramLock.test(file, () -> opened(file));
    }

    @Test
    void isHeldUntilTheProgramEnds() {
        // given
        assertThat(state()).isEqualTo(ProgramLock.State.FREE);
        ChildProcess child = start("/bin/sh", "-c", "(echo $$ begun; exec sleep 600) & wait");

        // when
        await().until(() -> !child.stdout().isEmpty());

        // then
        assertThat(state()).isEqualTo(ProgramLock.State.HELD);

        // when
        child.close();
        lock.close(true);

        // then
        assertThat(state()).isEqualTo(ProgramLock.State.FREE);
    }

    @Test
    void canBeHeldBySeveralPrograms() {
        // given
        ChildProcess first = start("sleep", "600");
        ChildProcess second = start("sleep", "600");
        await().until(() -> state() == ProgramLock.State.HELD);

        // when
        first.close();

        // then
        await().untilAsserted(() -> assertThat(second.isAlive()).isTrue());
        assertThat(state()).isEqualTo(ProgramLock.State.HELD);
    }

    @Test
    void programCanHoldSeveralLocks() {
        // given
        try (ProgramLock other = lock("lease-2")) {
            ChildProcess child = ChildProcess.command(List.of("/bin/sh", "-c", "ls -l /proc/$$/fd"))
                    .locks(List.of(lock, other))
                    .start();
            children.add(child);

            // then
            assertThat(child.await(null).exitCode()).contains(new ExitCode(0));
            assertThat(child.stdout()).contains(folder + "/lease-1\n", folder + "/lease-2\n");
        }
    }

    @Test
    void programKeepsPidArgumentsEnvironmentAndExitCode() {
        // when
        ChildProcess child = start(ChildProcess.command(
                        List.of("/bin/sh", "-c", "cat; echo $$ \"$@\" $SET; exit 7", "sh", "-x", "--", "a b", ""))
                .environment(ChildEnvironment.INHERITED.with(Map.of("SET", "value"))));

        // then its input is empty
        assertThat(child.await(null).exitCode()).contains(new ExitCode(7));
        assertThat(child.stdout()).isEqualTo(child.handle().pid() + " -x -- a b  value\n");
        assertThat(child.stderr()).isEmpty();
    }

    @Test
    void programGetsSignals() {
        // given
        ChildProcess child =
                start("/bin/sh", "-c", "trap 'echo ended; exit 3' TERM; echo begun; while :; do sleep 0.1; done");
        await().until(() -> !child.stdout().isEmpty());

        // when
        child.handle().destroy();

        // then
        assertThat(child.await(null).exitCode()).contains(new ExitCode(3));
        assertThat(child.stdout()).isEqualTo("begun\nended\n");
    }

    @Test
    void programMayCloseInheritedDescriptors() {
        // when
        ChildProcess child = start(
                "/bin/sh",
                "-c",
                "for fd in /proc/$$/fd/*; do n=${fd##*/}; [ $n -lt 3 ] || eval \"exec $n>&-\"; done; echo closed");

        // then
        assertThat(child.await(null).exitCode()).contains(new ExitCode(0));
        assertThat(child.stdout()).isEqualTo("closed\n");
    }

    @Test
    void processThatClosedLockIsFoundByEnvironment() {
        // given
        ChildProcess child = start("/bin/sh", "-c", "exec 3>&- 4>&- 5>&-; echo begun; exec sleep 600");
        await().until(() -> !child.stdout().isEmpty());

        // then
        await().until(() -> state() == ProgramLock.State.FREE);
        assertThat(ProgramLock.named(lock.name()))
                .containsExactly(child.handle().pid());
        assertThat(ProgramLock.named("jvm-1-a-1/lease-")).isEmpty();
    }

    @Test
    void lockIsUnknownAfterProgramStartedWithoutIt() throws IOException {
        // given a name for which flock would start a shell
        Path program = Files.createFile(
                folder.resolve("-c"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(program, "#!/bin/sh\necho started\n");
        ChildProcess child = start(ChildProcess.command(List.of("./-c")).directory(folder));
        assertThat(child.await(null).exitCode()).contains(new ExitCode(0));
        assertThat(folder.resolve("lease-1")).exists();

        // when
        try {
            start(ChildProcess.command(List.of("-c")).directory(folder));
        } catch (ProgramNotStartedException notInThePath) {
            // The lock is invalid nevertheless.
        }

        // then
        assertThat(state()).isEqualTo(ProgramLock.State.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pipe", "link", "folder", "nothing"})
    void isUnknownWhenFileWasReplacedOrDeleted(String planted) throws Exception {
        // given
        Path file = folder.resolve("lease-1");
        Files.delete(file);
        Path other = Files.createFile(folder.resolve("other"));
        switch (planted) {
            case "pipe" -> new ProcessBuilder("mkfifo", file.toString()).start().waitFor();
            case "link" -> Files.createSymbolicLink(file, other);
            case "folder" -> Files.createDirectory(file);
            default -> assertThat(file).doesNotExist();
        }

        // then
        assertThat(state()).isEqualTo(ProgramLock.State.UNKNOWN);
    }
}
