package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Tests that run the shell commands of the documentation and compile its examples. */
class DocumentationIT {

    /** Compiles each example as a reader pastes it: into the file that its page shows. */
    @TestFactory
    Stream<DynamicTest> shownCodeCompilesWithShownImports(
            @TempDir(factory = TempDirFactory.Standard.class) Path classes) {
        return Repository.pages().stream()
                .map(Page::read)
                .filter(page -> page.blocks().stream().anyMatch(ExampleFile::isAround))
                .map(page -> dynamicTest(Repository.name(page.file()), () -> {
                    ExampleFile shown = new ExampleFile(page.blocks().stream()
                            .filter(block -> block.has(Block.Kind.IMPORTS))
                            .findFirst()
                            .map(Block::content)
                            .orElse(List.of()));
                    assertThat(page.blocks().stream()
                                    .filter(ExampleFile::isAround)
                                    .flatMap(example -> errors(shown.with(example), classes).stream()
                                            .map(error -> page.at(example.line()) + error)))
                            .isEmpty();
                }));
    }

    private static List<String> errors(String code, Path classes) {
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///ExampleTest.java"), Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return code;
            }
        };
        ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, diagnostics, List.of("-proc:none", "-d", classes.toString()), null, List.of(file))
                .call();
        return diagnostics.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> each.getMessage(Locale.ROOT))
                .toList();
    }

    @Test
    void quickstartPrintsShownOutputTwiceInARow(@TempDir(factory = TempDirFactory.Standard.class) Path folder)
            throws Exception {
        ShellSession session = new ShellSession(folder);
        Page quickstart = Page.read(Repository.ROOT.resolve("docs/quickstart.md"));

        assertThat(session.problems(quickstart, false)).isEmpty();
        assertThat(session.problems(quickstart, false)).isEmpty();
    }

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
