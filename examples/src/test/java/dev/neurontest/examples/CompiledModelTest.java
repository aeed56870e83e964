package dev.neurontest.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests that a model can be profiled while another JVM creates it again. */
class CompiledModelTest {

    @Test
    void recompiledModelIsIdenticalInANewFile() throws IOException {
        // given
        Path model = Path.of(CompiledModel.RESNET50);
        CompiledModel.compile();
        byte[] first = Files.readAllBytes(model);
        Object file = Files.readAttributes(model, "unix:ino").get("ino");

        // when
        CompiledModel.compile();

        // then
        assertThat(Files.readAllBytes(model)).isEqualTo(first);
        assertThat(Files.readAttributes(model, "unix:ino").get("ino")).isNotEqualTo(file);
    }
}
