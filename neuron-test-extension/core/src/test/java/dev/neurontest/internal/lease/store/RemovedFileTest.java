package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemovedFileTest {

    private static final Path FILE = Path.of("/tmp/leases/leases-1");

    @TempDir
    Path proc;

    private void process(String pid, String... opened) throws IOException {
        Path descriptors = Files.createDirectories(proc.resolve(pid).resolve("fd"));
        for (int i = 0; i < opened.length; i++) {
            Files.createSymbolicLink(descriptors.resolve(String.valueOf(i)), Path.of(opened[i]));
        }
    }

    @Test
    void isUsedByProcessesThatStillHaveItOpen() throws IOException {
        // given
        process("12", "pipe:[7]", FILE + " (deleted)");
        process("13", FILE.toString(), FILE + "0 (deleted)");
        Files.createDirectory(proc.resolve("14"));
        process("self", FILE + " (deleted)");

        // then
        assertThat(RemovedFile.users(FILE, proc)).containsExactly("12");
    }

    @Test
    void hasNoUsersWithoutProc() {
        // then
        assertThat(RemovedFile.users(FILE, proc.resolve("none"))).isEmpty();
    }
}
