package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Rules for the names of test methods: see "Style" in CONTRIBUTING.md. They do not apply to fixtures, because their names are data. */
class TestNamesTest {

    private static final Path REPOSITORY = Path.of("..", "..");

    private static final Set<String> TESTS = Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory");

    /** First words that leave out the subject, and verbs of people. A nested class can be the subject of "of". */
    private static final Pattern UNCLEAR = Pattern.compile(
            "(that|what|which|whose|who|how|whether|such|its?|says?|tells?|hears?|knows?|wants?)(?![a-z]).*");

    private static final int LONGEST = 70;

    @Test
    void everyNameReadsAloneWithItsClass() throws IOException {
        // given
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> names = new ArrayList<>();

        // when
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromFiles(sources()));
            for (CompilationUnitTree unit : task.parse()) {
                new TreeScanner<Void, String>() {
                    @Override
                    public Void visitMethod(MethodTree method, String file) {
                        if (isTest(method)) {
                            names.add(file + "#" + method.getName());
                        }
                        return super.visitMethod(method, file);
                    }
                }.scan(
                        unit,
                        Path.of(unit.getSourceFile().getName()).getFileName().toString());
            }
        }

        // then
        assertThat(names)
                .hasSizeGreaterThan(5000)
                .filteredOn(name -> isUnclear(name.substring(name.indexOf('#') + 1)))
                .isEmpty();
    }

    private static boolean isTest(MethodTree method) {
        return method.getModifiers().getAnnotations().stream()
                .anyMatch(annotation ->
                        TESTS.contains(annotation.getAnnotationType().toString()));
    }

    private static boolean isUnclear(String name) {
        return UNCLEAR.matcher(name).matches() || name.contains("_") || name.length() > LONGEST;
    }

    private static List<File> sources() throws IOException {
        List<File> sources = new ArrayList<>();
        for (String module : List.of("fake-sysfs", "neuron-test-extension", "examples")) {
            try (Stream<Path> files = Files.walk(REPOSITORY.resolve(module))) {
                files.filter(file -> file.toString().matches(".*/src/test/java/.*(?<!Fixture)\\.java"))
                        .map(Path::toFile)
                        .forEach(sources::add);
            }
        }
        return sources;
    }
}
