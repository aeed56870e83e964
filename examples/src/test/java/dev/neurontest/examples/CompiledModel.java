package dev.neurontest.examples;

import dev.neurontest.fake.FakeNeff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/**
 * Where the examples find their compiled models. On a Neuron instance {@code -Dexamples.neff=/path/to/model.neff} names a real
 * one; without, it is a file with the outer form of a NEFF, which only the fake host executes.
 */
final class CompiledModel {

    static final String RESNET50 = "target/models/resnet50.neff";
    static final String ATTENTION = "target/models/attention.neff";

    private CompiledModel() {}

    static void compile() throws IOException {
        put(Path.of(RESNET50), "model", Duration.ofMillis(16));
        put(Path.of(ATTENTION), "transpose", Duration.ofMillis(1));
    }

    private static void put(Path neff, String profile, Duration time) throws IOException {
        Files.createDirectories(neff.getParent());
        String real = System.getProperty("examples.neff", "");
        if (real.isEmpty()) {
            FakeNeff.builder()
                    .name(neff.getFileName().toString())
                    .profile(profile)
                    .time(time)
                    .write(neff);
        } else {
            Files.copy(Path.of(real), neff, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
