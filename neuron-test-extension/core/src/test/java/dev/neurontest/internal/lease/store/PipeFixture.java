package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/** A named pipe, which blocks an ordinary open until another process opens it. */
final class PipeFixture {

    private PipeFixture() {}

    static Path make(Path file) throws Exception {
        Process maker = new ProcessBuilder("mkfifo", "-m", "666", file.toString())
                .inheritIO()
                .start();
        assertThat(maker.waitFor()).isZero();
        return file;
    }
}
