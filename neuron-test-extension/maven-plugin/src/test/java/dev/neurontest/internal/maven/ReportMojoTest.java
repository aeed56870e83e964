package dev.neurontest.internal.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportMojoTest {

    @TempDir
    private Path project;

    private final ReportMojo report = new ReportMojo();

    @BeforeEach
    void locateProject() {
        report.basedir = project.toFile();
        report.buildDirectory = project.resolve("build").toFile();
    }

    @Test
    void eachParameterIsAnOption() {
        // given
        report.run = "all";
        report.html = new File("/p/report.html");
        report.json = new File("/p/report.json");
        report.markdown = new File("/p/report.md");
        report.compare = new File("/p/previous.json");
        report.history = new File("/p/history");
        report.otlp = "http://collector:4318";
        report.runs = List.of(new File("/p/a/target/neuron-test"), new File("/p/b/run-1.jsonl"));

        // when
        List<String> words = report.words();

        // then
        assertThat(words)
                .containsExactly(
                        "report",
                        "--run=all",
                        "--html=/p/report.html",
                        "--json=/p/report.json",
                        "--markdown=/p/report.md",
                        "--compare=/p/previous.json",
                        "--history=/p/history",
                        "--otlp=http://collector:4318",
                        "/p/a/target/neuron-test",
                        "/p/b/run-1.jsonl");
    }

    /** Verifies the folder in which tests of the module write with the same setting. */
    @ParameterizedTest
    @CsvSource({", build/neuron-test", "out, out", "/shared/out, /shared/out"})
    void runFilesOfModuleAreReadByDefault(String output, String expected) {
        // given
        if (output != null) {
            System.setProperty("neuron.test.output", output);
        }

        // when
        List<String> words;
        try {
            words = report.words();
        } finally {
            System.clearProperty("neuron.test.output");
        }

        // then
        assertThat(words).containsExactly("report", project.resolve(expected).toString());
    }

    @ParameterizedTest
    @CsvSource({"auto, true, auto", "auto, false, never", "always, false, always", "never, true, never"})
    void colorsFollowMaven(String color, boolean interactive, String expected) {
        // given
        report.color = color;
        report.interactive = interactive;

        // when
        String[] arguments = report.arguments();

        // then
        assertThat(arguments).endsWith("--color=" + expected);
    }
}
