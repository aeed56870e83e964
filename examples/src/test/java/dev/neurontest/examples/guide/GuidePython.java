package dev.neurontest.examples.guide;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** A check for the Python that examples of the guide need. */
final class GuidePython {

    private GuidePython() {}

    static void assume() {
        assumeTrue(
                Pattern.compile(Pattern.quote(System.getProperty("path.separator")))
                        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                        .anyMatch(folder -> Path.of(folder, "python3").toFile().canExecute()),
                "no python3 on the PATH");
    }
}
