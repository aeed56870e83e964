package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests that the documentation shows code of this repository and failures of its tests, and that its links are valid.
 */
class DocumentationTest {

    private static final PageCheck CHECK =
            new PageCheck(Repository.ROOT, new FixtureRun(Repository.ROOT), Boolean.getBoolean("update.docs"));

    @TestFactory
    Stream<DynamicTest> shownCodeMatchesItsSource() {
        return Repository.pages().stream()
                .map(file -> dynamicTest(Repository.name(file), () -> hasNone(CHECK.blocks(Page.read(file)))));
    }

    @TestFactory
    Stream<DynamicTest> linksLeadToExistingTargets() {
        return Repository.markdown().stream()
                .map(file -> dynamicTest(Repository.name(file), () -> hasNone(CHECK.links(Page.read(file)))));
    }

    @TestFactory
    Stream<DynamicTest> hasNoLongLinesVagueWordsOrMissingFiles() {
        return Repository.pages().stream()
                .map(file -> dynamicTest(Repository.name(file), () -> hasNone(CHECK.words(Page.read(file)))));
    }

    @Test
    void readmeHasAtMost120Lines() {
        assertThat(Page.read(Repository.ROOT.resolve("README.md")).length()).isLessThanOrEqualTo(120);
    }

    @Test
    void indexLinksEveryPage() {
        Path docs = Repository.ROOT.resolve("docs");
        assertThat(Page.read(docs.resolve("README.md")).links().keySet())
                .containsAll(Repository.pages().stream()
                        .filter(page -> page.getParent().equals(docs) && !page.endsWith("README.md"))
                        .map(page -> page.getFileName().toString())
                        .toList());
    }

    @Test
    void ciRunsTheMavenCommandsOfTheReadme() throws Exception {
        List<String> commands = Page.read(Repository.ROOT.resolve("README.md")).blocks().stream()
                .filter(block -> block.language().equals("sh"))
                .flatMap(block -> block.content().stream())
                .filter(line -> line.startsWith("mvn "))
                .map(line -> line.replaceFirst("\\s+#.*", "").replaceFirst("^mvn ", "mvn -B -ntp "))
                .toList();

        assertThat(commands).hasSizeGreaterThanOrEqualTo(2);
        assertThat(Files.readString(Repository.ROOT.resolve(".ci/run"))).contains(commands.subList(0, 2));
    }

    private static void hasNone(List<String> problems) {
        if (!problems.isEmpty()) {
            fail(String.join("\n", problems));
        }
    }
}
