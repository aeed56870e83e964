package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of programs with the names of starting tools that start or lock nothing. */
class StartingToolsIT {

    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
    private static final Path FLOCK = Path.of("/usr/bin/flock");

    @TempDir
    Path folder;

    @BeforeEach
    void needsTools() {
        assumeThat(StartingTools.find("/usr/bin").flock())
                .as("a flock of util-linux that becomes a program")
                .contains(FLOCK);
        assumeThat(StartingTools.find("/usr/bin").setpriv()).as("setpriv").contains(SETPRIV);
    }

    private Path stub(String name, String script) throws IOException {
        Path file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        return Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    }

    /** Returns a flock that starts the program and locks nothing. */
    private Path flockWithoutLock() throws IOException {
        return stub("flock", "while [ \"${1#/proc}\" = \"$1\" ]; do shift; done; shift; exec \"$@\"");
    }

    private StartingTools found() {
        return StartingTools.find(folder.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit 0", "exit 1", "exit 75", "echo flock from util-linux 2.38.1"})
    void ignoresStubs(String script) throws IOException {
        // given
        stub("flock", script);
        stub("setpriv", script);

        // then
        assertThat(found()).isEqualTo(new StartingTools(Optional.empty(), Optional.empty()));
    }

    @Test
    void ignoresFlockThatLocksNothing() throws IOException {
        // given
        flockWithoutLock();
        Files.createSymbolicLink(folder.resolve("setpriv"), SETPRIV);

        // then
        assertThat(found().flock()).isEmpty();
        assertThat(found().setpriv()).contains(folder.resolve("setpriv"));
    }

    @Test
    void ignoresSetprivStubWithRealFlock() throws IOException {
        // given
        stub("setpriv", "exit 0");
        Files.createSymbolicLink(folder.resolve("flock"), FLOCK);

        // then
        assertThat(found().setpriv()).isEmpty();
        assertThat(found().flock()).contains(folder.resolve("flock"));
    }

    @Test
    void stubsCannotReportFreeLock() throws IOException {
        // given
        Path file = Files.createFile(folder.resolve("file"));
        Path stub = stub("stub", "exit 0");

        // then
        assertThat(StartingTools.isLocked(FLOCK, file, 10)).contains(false);
        assertThat(StartingTools.isLocked(stub, file, 10)).isEmpty();
        assertThat(StartingTools.isLocked(flockWithoutLock(), file, 10)).isEmpty();
    }
}
