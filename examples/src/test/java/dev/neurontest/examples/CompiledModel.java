package dev.neurontest.examples;

import dev.neurontest.fake.FakeNeff;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.UUID;

/**
 * The compiled models of the examples. On a Neuron instance {@code -Dexamples.neff=/path/to/model.neff} names a real
 * one. Without it, the model is a file with the outer form of a NEFF, which only the fake host executes.
 */
final class CompiledModel {

    static final String RESNET50 = "target/models/resnet50.neff";
    static final String ATTENTION = "target/models/attention.neff";

    private CompiledModel() {}

    static void compile() throws IOException {
        put(Path.of(RESNET50), "model", Duration.ofMillis(16));
        put(Path.of(ATTENTION), "transpose", Duration.ofMillis(1));
    }

    /**
     * Replaces the model atomically and always with the same content, because several JVMs create and read the same
     * file.
     */
    private static void put(Path neff, String profile, Duration time) throws IOException {
        Files.createDirectories(neff.getParent());
        String name = neff.getFileName().toString();
        Path fresh = Files.createTempFile(neff.getParent(), name, ".part");
        String real = System.getProperty("examples.neff", "");
        if (real.isEmpty()) {
            FakeNeff.builder()
                    .name(name)
                    .uuid(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)))
                    .profile(profile)
                    .time(time)
                    .write(fresh);
        } else {
            Files.copy(Path.of(real), fresh, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(fresh, neff, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
