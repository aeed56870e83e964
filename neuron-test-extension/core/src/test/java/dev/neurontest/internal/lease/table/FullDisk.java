package dev.neurontest.internal.lease.table;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small separate file system that can be filled. */
record FullDisk(Path place) {

    static FullDisk mount(Path place, String size) throws IOException {
        Files.createDirectories(place);
        run("mount", "-t", "tmpfs", "-o", "mode=1777,size=" + size, "tmpfs", place.toString());
        return new FullDisk(place);
    }

    void fill() throws IOException {
        try (OutputStream filler = Files.newOutputStream(filler())) {
            while (true) {
                filler.write(new byte[4096]);
            }
        } catch (IOException full) {
            // The disk is full, as intended.
        }
    }

    void makeRoom() throws IOException {
        Files.deleteIfExists(filler());
    }

    private Path filler() {
        return place.resolve("filler");
    }

    void unmount() throws IOException {
        run("umount", "-l", place.toString());
    }

    private static void run(String... command) throws IOException {
        try {
            if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
                throw new IOException(String.join(" ", command) + " is not possible here");
            }
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }
}
