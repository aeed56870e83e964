package dev.neurontest.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestToolTest {

    @TempDir
    private Path root;

    private final Map<String, String> properties = new HashMap<>();

    private void file(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private void pom(String path, String... modules) throws IOException {
        StringBuilder text = new StringBuilder("<project><modules>\n");
        for (String module : modules) {
            text.append("  <module> ").append(module).append(" </module>\n");
        }
        file(path, text + "</modules></project>");
    }

    private Optional<TestTool> in(String folder) throws IOException {
        return TestTool.of(properties::get, Files.createDirectories(root.resolve(folder)));
    }

    private static TestTool maven(String module) {
        return new TestTool(TestTool.MAVEN, module, null);
    }

    private static TestTool gradle(String task) {
        return new TestTool(TestTool.GRADLE, task, null);
    }

    @Nested
    class Maven {

        private Optional<TestTool> forkOf(String module) throws IOException {
            properties.put("surefire.real.class.path", "/x/target/surefire/surefirebooter.jar");
            properties.put("basedir", root.resolve(module).toString());
            return in("elsewhere");
        }

        @Test
        void namesNoModuleForStandaloneProject() throws IOException {
            pom("bert/pom.xml");

            assertThat(forkOf("bert")).contains(maven(null));
        }

        @Test
        void namesModulePathBelowBuildRoot() throws IOException {
            pom("pom.xml", "lib", "services/bert");
            pom("services/bert/pom.xml");

            assertThat(forkOf("services/bert")).contains(maven("services/bert"));
        }

        @Test
        void usesTopmostFolderThatListsModule() throws IOException {
            pom("pom.xml", "services");
            pom("services/pom.xml", "bert/pom.xml");
            pom("services/bert/pom.xml");

            assertThat(forkOf("services/bert")).contains(maven("services/bert"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "<modules><module>lib</module></modules>",
                    "<modules><!-- <module>bert</module> --></modules>",
                    "<parent/>",
                    "",
                    "<module>\0</module>",
                })
        void ignoresFolderThatDoesNotListModule(String pom) throws IOException {
            file("pom.xml", pom);
            pom("bert/pom.xml");

            assertThat(forkOf("bert")).contains(maven(null));
        }

        @Test
        void isAssumedWhenOtherLauncherRunsTests() throws IOException {
            pom("pom.xml", "bert");
            pom("bert/pom.xml");

            assertThat(in("bert")).contains(maven("bert"));
        }
    }

    @Nested
    class Gradle {

        @ParameterizedTest
        @CsvSource({
            "settings.gradle, '', :test",
            "settings.gradle.kts, bert, :bert:test",
            "settings.gradle, services/bert, :services:bert:test",
            "services/settings.gradle, services/bert, :bert:test",
            "other.txt, services/bert, :test"
        })
        void namesTaskRelativeToSettingsFolder(String settings, String project, String task) throws IOException {
            file(settings, "");
            properties.put("org.gradle.test.worker", "1");

            assertThat(in(project)).contains(gradle(task));
        }

        @Test
        void namesTaskThatRan() throws IOException {
            file("settings.gradle", "");
            properties.put("org.gradle.test.worker", "1");
            properties.put("org.gradle.internal.worker.tmpdir", root + "/bert/build/tmp/integrationTest/work");

            assertThat(in("bert")).contains(gradle(":bert:integrationTest"));
        }

        @Test
        void isWrapperWhenBuildHasOne() throws IOException {
            file("settings.gradle", "");
            file("gradlew", "");
            properties.put("org.gradle.test.worker", "1");

            assertThat(in("bert")).contains(new TestTool(TestTool.GRADLE_WRAPPER, ":bert:test", null));
        }

        @ParameterizedTest
        @ValueSource(strings = {"build.gradle", "build.gradle.kts"})
        void isAssumedWhenOtherLauncherRunsTests(String script) throws IOException {
            file("bert/" + script, "");

            assertThat(in("bert")).contains(gradle(":test"));
        }
    }

    @Test
    void commandNamesItsOptions() throws IOException {
        pom("pom.xml");
        properties.put(TestTool.OPTIONS, "-cp\nclasses:libs/*");

        assertThat(in("")).contains(new TestTool(TestTool.NEURON_TEST, null, List.of("-cp", "classes:libs/*")));
    }

    @Test
    void isUnknownWithoutBuildFile() throws IOException {
        properties.put("basedir", "/x");

        assertThat(in("")).isEmpty();
    }

    @Test
    void recognizesMavenOfThisJvm() {
        assertThat(TestTool.ofThisJvm()).contains(maven("neuron-test-extension/core"));
    }
}
