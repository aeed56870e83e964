package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** Tests the files that only GitHub reads and runs, and that each rule finds a change that breaks it. */
class GitHubFilesTest {

    private static final Path FOLDER = Repository.ROOT.resolve(".github");

    private static final Pattern PARENT = Pattern.compile("(?s)<parent>\\s*<groupId>dev\\.neurontest</groupId>");

    private static String read(String file) throws IOException {
        return Files.readString(FOLDER.resolve(file));
    }

    private static List<String> problems(String file, String content) {
        return file.startsWith("workflows/")
                ? GitHubRules.workflow(Repository.ROOT, content)
                : file.equals("dependabot.yml")
                        ? GitHubRules.dependabot(Repository.ROOT, content, projects())
                        : GitHubRules.form(Repository.ROOT, content);
    }

    /** Returns the folders with a {@code pom.xml} that is no module of the root, and the root. Templates below {@code src} are no projects. */
    private static Set<String> projects() {
        try (Stream<Path> files = Files.find(Repository.ROOT, 4, (file, kind) -> file.endsWith("pom.xml"))) {
            return files.filter(file -> !Repository.name(file).matches("(.*/)?(src|target)/.*"))
                    .filter(file -> !PARENT.matcher(content(file)).find())
                    .map(file -> "/" + Repository.name(file.getParent()))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"workflows/check.yml", "dependabot.yml", "ISSUE_TEMPLATE/bug.yml", "ISSUE_TEMPLATE/request.yml"})
    void fileFollowsTheRules(String file) throws IOException {
        assertThat(problems(file, read(file))).isEmpty();
    }

    @Test
    void everyFileIsTested() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> FOLDER.relativize(file).toString()))
                    .containsExactlyInAnyOrder(
                            "workflows/check.yml",
                            "dependabot.yml",
                            "ISSUE_TEMPLATE/bug.yml",
                            "ISSUE_TEMPLATE/request.yml",
                            "ISSUE_TEMPLATE/config.yml",
                            "pull_request_template.md");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    workflows/check.yml | push:                    | pushed:               | not for push and pull_request
                    workflows/check.yml | pull_request:            | pull_request_target:  | not for push and pull_request
                    workflows/check.yml | contents: read           | contents: write       | permissions are not contents: read
                    workflows/check.yml | group:                   | groups:               | no concurrency group
                    workflows/check.yml | ' # v7.0.1'              | ''                    | no commit with a version
                    workflows/check.yml | checkout@3d3c            | checkout@             | no commit with a version
                    workflows/check.yml | jobs:                    | job:                  | no jobs
                    workflows/check.yml | runs-on:                 | run-on:               | no runs-on
                    workflows/check.yml | runs-on:                 | run-on:               | unknown key of a job: run-on
                    workflows/check.yml | timeout-minutes: 60      | timeout-minutes: none | no timeout-minutes
                    workflows/check.yml | timeout-minutes: 60      | timeout-minutes: 60\\n    needs: build | needs [build], but jobs are [check, laptop]
                    workflows/check.yml | [17, 21, 25]             | []                    | no values of matrix.java
                    workflows/check.yml | steps:                   | step:                 | no steps
                    workflows/check.yml | run: .ci/run             | runs: .ci/run         | unknown key of a step: runs
                    workflows/check.yml | run: .ci/run             | runs: .ci/run         | neither or both of uses and run
                    workflows/check.yml | run: .ci/run             | run: .ci/runs         | no program .ci/runs
                    workflows/check.yml | examples/first-test      | examples/first        | no folder examples/first
                    workflows/check.yml | id: jdk25                | id: jdk               | unknown name steps.jdk25
                    workflows/check.yml | java-version: ${{ matrix | java-version: ${{ env | unknown name env.java
                    workflows/check.yml | system: [                | systems: [            | unknown name matrix.system
                    workflows/check.yml | github.ref               | secrets.REF           | unknown name secrets.REF
                    workflows/check.yml | failure()                | failed()              | unknown name failed(
                    workflows/check.yml | reports-${{ matrix.java }}- | reports-           | jobs overwrite the artifact
                    ISSUE_TEMPLATE/bug.yml | name: Bug             | names: Bug            | no name
                    ISSUE_TEMPLATE/bug.yml | description: A test   | descriptions: A test  | no description
                    ISSUE_TEMPLATE/bug.yml | body:                 | bodies:               | no body
                    ISSUE_TEMPLATE/bug.yml | body:                 | bodies:               | nothing to fill in
                    ISSUE_TEMPLATE/bug.yml | labels:               | label:                | unknown key of a form: label
                    ISSUE_TEMPLATE/bug.yml | validations:          | validation:           | unknown key of an element: validation
                    ISSUE_TEMPLATE/bug.yml | type: input           | type: text            | unknown type text
                    ISSUE_TEMPLATE/bug.yml | 'value: |'            | 'values: |'           | markdown without value
                    ISSUE_TEMPLATE/bug.yml | id: doctor            | id: happened          | no id, or one of another element: happened
                    ISSUE_TEMPLATE/bug.yml | label: Version        | labels: Version       | no label, or one of another element: null
                    ISSUE_TEMPLATE/bug.yml | required: true        | required: yes please  | required is not true or false
                    ISSUE_TEMPLATE/bug.yml | main/SECURITY.md      | main/SECURE.md        | no file SECURE.md
                    dependabot.yml | version: 2                    | version: 3            | the version is not 2
                    dependabot.yml | directory: /                  | folder: /             | unknown key of an update: folder
                    dependabot.yml | directory: /                  | folder: /             | no directories of github-actions
                    dependabot.yml | package-ecosystem: maven      | package-ecosystem: mvn | unknown ecosystem mvn
                    dependabot.yml | package-ecosystem: github-actions | package-ecosystem: npm | only [
                    dependabot.yml | interval: weekly              | interval: hourly      | no interval of maven
                    dependabot.yml | groups:                       | group:                | no groups of maven
                    dependabot.yml | patterns:                     | pattern:              | no patterns of the group
                    dependabot.yml | kotlin                        | kotlins               | no folder /examples/frameworks/kotlins
                    dependabot.yml | '      - /examples/first-test\\n' | ''                | Maven projects
                    """)
    void ruleFindsAChange(String file, String part, String replacement, String problem) throws IOException {
        // given
        String content = read(file);
        String changed = content.replace(unescaped(part), replacement == null ? "" : unescaped(replacement));

        // then
        assertThat(changed).isNotEqualTo(content);
        assertThat(problems(file, changed))
                .anySatisfy(found -> assertThat(found).contains(problem));
    }

    private static String unescaped(String text) {
        return text.replace("\\n", "\n");
    }

    /** Returns a part of a job. */
    private static <T> T ofJob(String job, String part) throws IOException {
        Map<String, Map<String, Map<String, T>>> workflow = new Yaml().load(read("workflows/check.yml"));
        return workflow.get("jobs").get(job).get(part);
    }

    /** Returns the values of the variables of a job. */
    private static Map<String, List<?>> matrix(String job) throws IOException {
        return GitHubFilesTest.<Map<String, Map<String, List<?>>>>ofJob(job, "strategy")
                .get("matrix");
    }

    @Test
    void workflowRunsTheFirstTestOnLaptops() throws IOException {
        assertThat(matrix("laptop").get("system"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactly("macos-15", "windows-2025");
        assertThat(GitHubFilesTest.<List<?>>ofJob("laptop", "steps"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .last(InstanceOfAssertFactories.MAP)
                .containsEntry("run", "mvn -B -ntp verify")
                .containsEntry("working-directory", "examples/first-test");
    }

    @Test
    void workflowRunsTheCheckOnEachJdkAndArchitecture() throws IOException {
        // when
        Map<String, List<?>> matrix = matrix("check");

        // then
        assertThat(matrix.get("java"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactly(17, 21, 25);
        assertThat(matrix.get("system"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactly("ubuntu-24.04", "ubuntu-24.04-arm");
        assertThat(Files.readString(Repository.ROOT.resolve("pom.xml"))).contains("<maven.compiler.release>17<");
    }

    @Test
    void formOfABugRequiresOutputOfTheDoctor() throws IOException {
        // when
        Map<String, List<Map<String, Map<String, Object>>>> form = new Yaml().load(read("ISSUE_TEMPLATE/bug.yml"));

        // then
        assertThat(form.get("body")).anySatisfy(element -> {
            assertThat(element.get("attributes"))
                    .hasEntrySatisfying(
                            "label", label -> assertThat(label.toString()).contains("`neuron-test doctor --json`"));
            assertThat(element.get("validations")).containsEntry("required", true);
        });
    }

    /** Text without a form has no output of the doctor. */
    @Test
    void chooserOffersOnlyForms() throws IOException {
        assertThat(new Yaml().<Object>load(read("ISSUE_TEMPLATE/config.yml")))
                .isEqualTo(Map.of("blank_issues_enabled", false));
    }

    @Test
    void checklistOfPullRequestsNamesFilesAndHeadingsThatExist() throws IOException {
        String checklist = read("pull_request_template.md");
        String contributing = Files.readString(Repository.ROOT.resolve("CONTRIBUTING.md"));

        assertThat(Pattern.compile("`([\\w./]+)`").matcher(checklist).results())
                .isNotEmpty()
                .allSatisfy(file ->
                        assertThat(Repository.ROOT.resolve(file.group(1))).exists());
        assertThat(Pattern.compile("\\*([^*]+)\\*").matcher(checklist).results())
                .isNotEmpty()
                .allSatisfy(heading -> assertThat(contributing).contains("\n## " + heading.group(1) + "\n"));
    }
}
