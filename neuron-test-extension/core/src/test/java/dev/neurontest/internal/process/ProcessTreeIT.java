package dev.neurontest.internal.process;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProcessTreeIT {

    private Process process;
    private ProcessTree tree;

    private void start(String mark, String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script);
        builder.environment().put(ProcessTree.MARK, mark);
        process = builder.start();
        tree = new ProcessTree(process.toHandle(), "inner");
    }

    @AfterEach
    void end() {
        tree.scan();
        tree.running().forEach(ProcessHandle::destroyForcibly);
    }

    private List<Long> running() {
        return tree.running().stream().map(ProcessHandle::pid).toList();
    }

    @Test
    void doesNotCountZombieAsRunning() throws IOException {
        // given a child with a program that never waits for its own child
        start("inner", "sleep 600 & echo $!; exec sleep 600");
        long zombie = Long.parseLong(process.inputReader().readLine());
        tree.scan();

        // when
        ProcessHandle.of(zombie).orElseThrow().destroyForcibly();

        // then
        await().untilAsserted(() -> assertThat(running()).containsExactly(process.pid()));
        assertThat(ProcessHandle.of(zombie).filter(ProcessHandle::isAlive)).isPresent();
        assertThat(tree.pids()).containsExactly(process.pid(), zombie);
    }

    @Test
    void countsProcessAsRunningAfterFirstThreadEnds() throws Exception {
        // given
        assumeThat(new ProcessBuilder("/bin/sh", "-c", "python3 -c 'import ctypes'")
                        .start()
                        .waitFor())
                .as("python3, which can end its first thread alone")
                .isZero();
        start(
                "inner",
                "python3 -c 'import ctypes, threading, time; threading.Thread(target=time.sleep, args=(600,)).start();"
                        + " ctypes.CDLL(None).pthread_exit(None)' & echo $!; exec sleep 600");
        long worker = Long.parseLong(process.inputReader().readLine());

        // when
        await().until(() -> Files.readString(Path.of("/proc", Long.toString(worker), "stat"))
                .contains(") Z "));
        tree.scan();

        // then
        assertThat(running()).containsExactly(process.pid(), worker);
    }

    @Test
    void findsItsMarkAmongOuterMarks() throws IOException {
        // given
        start("outer:inner", "sleep 600 & echo $!");
        long orphan = Long.parseLong(process.inputReader().readLine());
        await().until(() -> !process.isAlive());

        // when
        tree.scan();

        // then
        assertThat(running()).containsExactly(orphan);
    }

    @Test
    void ignoresProcessWithOtherMark() throws IOException {
        // given
        start("another", "sleep 600 & echo $!");
        long orphan = Long.parseLong(process.inputReader().readLine());
        await().until(() -> !process.isAlive());
        try {
            // when
            tree.scan();

            // then
            assertThat(running()).isEmpty();
        } finally {
            ProcessHandle.of(orphan).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
