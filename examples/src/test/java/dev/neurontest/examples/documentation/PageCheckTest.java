package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Tests that problems of a page are reported with their line and a remedy. */
class PageCheckTest {

    @TempDir(factory = TempDirFactory.Standard.class)
    private Path root;

    @BeforeEach
    void writeASource() throws IOException {
        Files.writeString(root.resolve("A.java"), """
                class A {
                    // tag::first
                    int a;

                    int b;
                    // end::first
                }
                """);
    }

    private Page page(String text) throws IOException {
        return Page.read(Files.writeString(root.resolve("page.md"), text));
    }

    private List<String> problems(String text) throws IOException {
        return new PageCheck(root, new FixtureRun(root), false).blocks(page(text));
    }

    @Test
    void aRegionIsComparedWithoutItsIndent() throws IOException {
        assertThat(problems("""
                <!-- from A.java#first -->
                ```java
                int a;

                int b;
                ```
                """)).isEmpty();
    }

    @Test
    void differenceShowsBothLinesAndTheUpdateOption() throws IOException {
        assertThat(problems("""
                <!-- from A.java#first -->
                ```java
                int a;

                int c;
                ```
                """)).containsExactly("""
                page.md:2: the block differs from its source at its line 3
                  shown:  int c;
                  source: int b;
                  -Dupdate.docs=true writes the source into the page""");
    }

    @Test
    void updatingWritesTheSourceIntoThePage() throws IOException {
        Page page = page("""
                * In a list:
                  <!-- from A.java#first -->
                  ```java
                  old
                  ```
                """);

        assertThat(new PageCheck(root, new FixtureRun(root), true).blocks(page)).isEmpty();

        assertThat(root.resolve("page.md")).hasContent("""
                * In a list:
                  <!-- from A.java#first -->
                  ```java
                  int a;

                  int b;
                  ```
                """);
    }

    private void writeSourcesWithImports() throws IOException {
        Files.writeString(root.resolve("BTest.java"), """
                package b;

                import static java.util.Map.entry;

                import dev.neurontest.NeuronTest;
                import java.util.List;
                import java.util.Set;

                @NeuronTest
                class BTest {
                    // tag::used
                    List<Model> models;
                    // end::used

                    // tag::test
                    Object test() {
                        return entry("a", models);
                    }
                    // end::test
                }
                """);
        Files.writeString(root.resolve("Model.java"), """
                package b;

                import java.nio.file.Path;

                record Model(Path path) {}
                """);
    }

    @Test
    void importsAreThoseOfExamplesAndOfWhatTheyUse() throws IOException {
        writeSourcesWithImports();
        Page page = page("""
                <!-- from BTest.java#test -->
                ```java
                ```
                <!-- imports -->
                ```java
                ```
                """);

        assertThat(new PageCheck(root, new FixtureRun(root), true).blocks(page)).isEmpty();

        assertThat(page.blocks().get(1).text()).isEqualTo("""
                import static java.util.Map.entry;

                import dev.neurontest.NeuronTest;
                import java.nio.file.Path;
                import java.util.List;

                @NeuronTest
                class ExampleTest {

                    List<Model> models;

                    // an example of this page
                }

                record Model(Path path) {}""");
    }

    @Test
    void exampleWithoutItsImportsIsRefused() throws IOException {
        writeSourcesWithImports();

        assertThat(problems("""
                <!-- from BTest.java#test -->
                ```java
                Object test() {
                    return entry("a", models);
                }
                ```
                """))
                .containsExactly(
                        "page.md:2: the block needs \"import static java.util.Map.entry;\": show it, or add a folded block with <!-- imports -->");
    }

    @Test
    void codeWithoutASourceCommentIsRefused() throws IOException {
        assertThat(problems("```java\nint a;\n```\n"))
                .containsExactly("page.md:1: say before the block which file it is: <!-- from FILE#REGION -->");
    }

    @Test
    void textWithoutAKindCommentIsRefused() throws IOException {
        assertThat(problems("```text\nanything\n```\n"))
                .singleElement()
                .asString()
                .startsWith("page.md:1: say before the block what the text is: <!-- output -->");
    }

    @Test
    void missingRegionOrFileIsNamed() throws IOException {
        assertThat(problems("<!-- from A.java#second -->\n```java\nint a;\n```\n"))
                .containsExactly("page.md:2: A.java has no line with tag::second");
        assertThat(problems("<!-- from B.java -->\n```java\nint a;\n```\n"))
                .containsExactly("page.md:2: there is no file B.java (paths are from the root of the repository)");
    }

    @Test
    void misspeltCommentIsRefused() throws IOException {
        assertThat(problems("<!-- form A.java -->\n```sh\ntrue\n```\n"))
                .singleElement()
                .asString()
                .startsWith("page.md:1: the comment \"form A.java\" means nothing to the test");
    }

    @Test
    void aCommentWithoutABlockIsRefused() throws IOException {
        assertThat(problems("<!-- from A.java -->\n\nText.\n"))
                .containsExactly("page.md:3: a block is missing after the comment");
    }

    @Test
    void failureCommentWithoutAMethodIsRefused() throws IOException {
        assertThat(problems("<!-- failure of A.java -->\n```text\nx\n```\n"))
                .containsExactly(
                        "page.md:2: write FILE.java#METHOD, or FILE.java#METHOD with SETTING=VALUE, SETTING=VALUE");
    }

    @Test
    void brokenLinksAreFound() throws IOException {
        Page page = page("""
                # A `heading`, with: marks

                [here](#a-heading-with-marks) [there](A.java) [web](https://example.org/a?b=c#d)
                `[code](is-no-link)`
                [nothing](B.java) [no heading](#none)
                [no host](https:///x)
                """);

        assertThat(new PageCheck(root, new FixtureRun(root), false).links(page))
                .containsExactly(
                        "page.md:5: the link B.java leads to no file",
                        "page.md:5: the link #none leads to no heading; there are [a-heading-with-marks]",
                        "page.md:6: the link https:///x has no host");
    }

    @Test
    void longLinesAndVagueWordsAreFound() throws IOException {
        Page page = page("x".repeat(141) + "\nNobody is told.\n| " + "x".repeat(200) + " |\n");

        assertThat(new PageCheck(root, new FixtureRun(root), false).words(page))
                .containsExactly(
                        "page.md:1: the line has 141 characters; at most 140",
                        "page.md:2: say who or what instead of \"Nobody\": Nobody is told.");
    }

    @Test
    void missingFilesAreFound() throws IOException {
        Page page = page("`docs/none.md`, `examples/target/made.html` and `others/none.md`\n");

        assertThat(new PageCheck(root, new FixtureRun(root), false).words(page))
                .containsExactly("page.md:1: there is no file docs/none.md");
    }

    @Test
    void ellipsisInShownOutputMatchesAnything() {
        assertThat(Shown.matches(List.of("pid … of me", "...", "end"), "pid 17 of me\na\nb\nend\n"))
                .isTrue();
        assertThat(Shown.matches(List.of("pid … of me", "...", "end"), "pid 17 of me\nend  \n\n"))
                .isTrue();
        assertThat(Shown.matches(List.of("pid … of me", "end"), "pid 17 of me\na\nend\n"))
                .isFalse();
        assertThat(Shown.matches(List.of("a.c"), "abc")).isFalse();
    }

    @Test
    void updatingKeepsLinesWithEllipsis() {
        assertThat(Shown.merged(List.of("pid …", "old"), List.of("pid 17", "new")))
                .containsExactly("pid …", "new");
    }
}
