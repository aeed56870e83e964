package dev.neurontest.examples.guide;

import dev.neurontest.fake.FakeNeff;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/** The models of the pages: files with the outer form of a NEFF, which only a fake host executes. */
final class GuideNeffs {

    private static final Path FOLDER = Path.of("target/guide");

    private GuideNeffs() {}

    static void compile() throws IOException {
        Files.createDirectories(FOLDER);
        model("resnet50").profile("model").time(Duration.ofMillis(16)).write(FOLDER.resolve("resnet50.neff"));
        model("attention").profile("transpose").time(Duration.ofMillis(1)).write(FOLDER.resolve("attention.neff"));
    }

    static void kernels() throws IOException {
        Files.createDirectories(FOLDER);
        model("scale").input("x", "float32", 4).output("y", "float32", 4).write(FOLDER.resolve("scale.neff"));
        model("tiles").write(FOLDER.resolve("tiles.neff"));
    }

    private static FakeNeff.Builder model(String name) {
        return FakeNeff.builder().name(name).uuid(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }
}
