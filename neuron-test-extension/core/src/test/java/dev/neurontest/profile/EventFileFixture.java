package dev.neurontest.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Full JSON files with the content that a test needs. */
final class EventFileFixture {

    private EventFileFixture() {}

    static Path file(Path folder, String content) {
        return file(folder, content.getBytes(StandardCharsets.UTF_8));
    }

    static Path file(Path folder, byte[] content) {
        try {
            return Files.write(folder.resolve("ntff.json"), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a file with these instructions alone. */
    static Path instructions(Path folder, String... instructions) {
        return file(folder, "{\"instruction\": [%s], \"dma\": []}".formatted(String.join(", ", instructions)));
    }

    static String instruction(long duration, String engine, String opcode, String layer) {
        return "{\"timestamp\": 7, \"duration\": %s, \"label\": \"%s\", \"opcode\": \"%s\", \"layer\": \"%s\"}"
                .formatted(duration, engine, opcode, layer);
    }
}
