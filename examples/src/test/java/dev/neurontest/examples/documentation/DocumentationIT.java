package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Tests that run the shell commands of the documentation and compare their output. */
class DocumentationIT {

    @TestFactory
    Stream<DynamicTest> shownCommandsPrintShownOutput(@TempDir(factory = TempDirFactory.Standard.class) Path folder) {
        return Repository.pages().stream()
                .filter(file -> Page.read(file).blocks().stream()
                        .anyMatch(block -> block.language().equals("sh") || block.has(Block.Kind.OUTPUT)))
                .map(file -> dynamicTest(Repository.name(file), () -> {
                    Path session = Files.createTempDirectory(folder, "page");
                    List<String> problems =
                            new ShellSession(session).problems(Page.read(file), Boolean.getBoolean("update.docs"));
                    if (!problems.isEmpty()) {
                        fail(String.join("\n", problems));
                    }
                }));
    }
}
