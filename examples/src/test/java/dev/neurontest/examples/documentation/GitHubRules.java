package dev.neurontest.examples.documentation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Rules for the files that GitHub reads: a workflow, a form for issues, and the configuration of Dependabot. Each method returns the
 * problems of one file.
 */
final class GitHubRules {

    private static final Set<String> JOB = Set.of(
            "name",
            "needs",
            "if",
            "runs-on",
            "timeout-minutes",
            "strategy",
            "env",
            "defaults",
            "steps",
            "container",
            "outputs");
    private static final Set<String> STEP = Set.of(
            "id",
            "name",
            "if",
            "uses",
            "run",
            "with",
            "env",
            "shell",
            "working-directory",
            "timeout-minutes",
            "continue-on-error");
    private static final Set<String> ELEMENTS = Set.of("markdown", "input", "textarea", "dropdown", "checkboxes");
    private static final Set<String> ECOSYSTEMS = Set.of("maven", "gradle", "npm", "pip", "docker", "github-actions");
    private static final Set<String> INTERVALS = Set.of("daily", "weekly", "monthly", "quarterly");
    private static final Set<String> FUNCTIONS = Set.of("success", "failure", "cancelled", "always");

    private static final List<Object> GITHUB = List.of("ref", "sha", "workflow");

    private static final Pattern EXPRESSION = Pattern.compile("\\$\\{\\{(.*?)}}");
    private static final Pattern NAME = Pattern.compile("(?<![\\w.'-])([a-z][\\w-]*)(?:\\.([\\w-]+)|(\\())?");
    private static final Pattern PATH = Pattern.compile("(?<!\\S)(\\.?[\\w-]+(?:/[\\w.-]+)+)(?!\\S)");
    private static final Pattern PINNED = Pattern.compile("uses: [\\w-]+/[\\w-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+");
    private static final Pattern LINK = Pattern.compile("\\.\\./blob/main/([\\w./-]+)");

    private final Path root;
    private final List<String> problems = new ArrayList<>();

    private GitHubRules(Path root) {
        this.root = root;
    }

    private void check(boolean holds, String problem) {
        if (!holds) {
            problems.add(problem);
        }
    }

    private static Map<Object, Object> parsed(String yaml) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return map(new Yaml(new SafeConstructor(options)).load(yaml));
    }

    @SuppressWarnings("unchecked")
    private static Map<Object, Object> map(Object value) {
        return value instanceof Map<?, ?> ? (Map<Object, Object>) value : Map.of();
    }

    private static List<Object> list(Object value) {
        return value instanceof Collection<?> many ? new ArrayList<>(many) : value == null ? List.of() : List.of(value);
    }

    /** Returns the problems of a workflow that checks pull requests, also those of strangers. */
    static List<String> workflow(Path root, String yaml) {
        GitHubRules rules = new GitHubRules(root);
        Map<Object, Object> workflow = parsed(yaml);
        // YAML 1.1 reads the key "on" as a boolean.
        rules.check(
                map(workflow.get(true)).keySet().equals(Set.of("push", "pull_request")),
                "not for push and pull_request");
        rules.check(
                Map.of("contents", "read").equals(workflow.get("permissions")), "permissions are not contents: read");
        rules.check(map(workflow.get("concurrency")).containsKey("group"), "no concurrency group");
        rules.expressions(workflow.get("concurrency"), Map.of("github", GITHUB));
        yaml.lines()
                .filter(line -> line.contains("uses:"))
                .filter(line -> !PINNED.matcher(line).find())
                .forEach(line -> rules.problems.add("no commit with a version: " + line.strip()));
        Map<Object, Object> jobs = map(workflow.get("jobs"));
        rules.check(!jobs.isEmpty(), "no jobs");
        jobs.forEach((name, job) ->
                rules.job(map(job), jobs.keySet(), map(workflow.get("env")).keySet()));
        return rules.problems;
    }

    private void job(Map<Object, Object> job, Set<Object> jobs, Set<Object> variables) {
        names("a job", job, JOB);
        check(job.containsKey("runs-on"), "no runs-on");
        check(job.get("timeout-minutes") instanceof Integer, "no timeout-minutes");
        List<Object> needs = list(job.get("needs"));
        check(jobs.containsAll(needs), "needs " + needs + ", but jobs are " + jobs);
        Map<Object, Object> matrix = map(map(job.get("strategy")).get("matrix"));
        matrix.forEach((key, values) -> check(!list(values).isEmpty(), "no values of matrix." + key));
        Set<Object> known = new HashSet<>(variables);
        known.addAll(map(job.get("env")).keySet());
        Set<Object> steps = new HashSet<>();
        Map<String, Collection<Object>> contexts =
                Map.of("matrix", matrix.keySet(), "needs", needs, "env", known, "steps", steps, "github", GITHUB);
        Stream.of("name", "runs-on", "if").forEach(key -> expressions(job.get(key), contexts));
        check(!list(job.get("steps")).isEmpty(), "no steps");
        for (Object each : list(job.get("steps"))) {
            Map<Object, Object> step = map(each);
            names("a step", step, STEP);
            check(step.containsKey("uses") != step.containsKey("run"), "neither or both of uses and run: " + step);
            expressions(step, contexts);
            PATH.matcher(String.valueOf(step.getOrDefault("run", "")))
                    .results()
                    .map(match -> match.group(1))
                    .forEach(path -> check(Files.isExecutable(root.resolve(path)), "no program " + path));
            String artifact = String.valueOf(map(step.get("with")).get("name"));
            if (String.valueOf(step.get("uses")).startsWith("actions/upload-artifact@")) {
                matrix.keySet()
                        .forEach(key ->
                                check(artifact.contains("matrix." + key), "jobs overwrite the artifact " + artifact));
            }
            Object folder = step.getOrDefault("working-directory", "");
            check(Files.isDirectory(root.resolve(folder.toString())), "no folder " + folder);
            if (step.containsKey("id")) {
                check(steps.add(step.get("id")), "two steps " + step.get("id"));
            }
        }
    }

    private void names(String kind, Map<Object, Object> map, Set<String> known) {
        map.keySet().forEach(key -> check(known.contains(key), "unknown key of " + kind + ": " + key));
    }

    private void expressions(Object value, Map<String, Collection<Object>> contexts) {
        EXPRESSION
                .matcher(String.valueOf(value))
                .results()
                .map(match -> match.group(1))
                .forEach(expression -> NAME.matcher(expression).results().forEach(name -> {
                    boolean isKnown = name.group(3) != null
                            ? FUNCTIONS.contains(name.group(1))
                            : contexts.getOrDefault(name.group(1), List.of()).contains(name.group(2));
                    check(isKnown, "unknown name " + name.group() + " in" + expression);
                }));
    }

    /** Returns the problems of a form for issues. */
    static List<String> form(Path root, String yaml) {
        GitHubRules rules = new GitHubRules(root);
        Map<Object, Object> form = parsed(yaml);
        Stream.of("name", "description", "body").forEach(key -> rules.check(form.containsKey(key), "no " + key));
        rules.names(
                "a form",
                form,
                Set.of("name", "description", "title", "labels", "assignees", "type", "projects", "body"));
        Set<Object> ids = new HashSet<>();
        Set<Object> labels = new HashSet<>();
        for (Object each : list(form.get("body"))) {
            Map<Object, Object> element = map(each);
            Map<Object, Object> attributes = map(element.get("attributes"));
            rules.names("an element", element, Set.of("type", "id", "attributes", "validations"));
            rules.check(ELEMENTS.contains(element.get("type")), "unknown type " + element.get("type"));
            if ("markdown".equals(element.get("type"))) {
                rules.check(attributes.get("value") instanceof String, "markdown without value");
                continue;
            }
            Object id = element.get("id");
            rules.check(
                    String.valueOf(id).matches("[a-z][\\w-]*") && ids.add(id),
                    "no id, or one of another element: " + id);
            Object label = attributes.get("label");
            rules.check(label instanceof String && labels.add(label), "no label, or one of another element: " + label);
            Object required = map(element.get("validations")).getOrDefault("required", false);
            rules.check(required instanceof Boolean, "required is not true or false: " + required);
        }
        rules.check(!ids.isEmpty(), "nothing to fill in");
        LINK.matcher(yaml)
                .results()
                .map(match -> match.group(1))
                .forEach(file -> rules.check(Files.exists(root.resolve(file)), "no file " + file));
        return rules.problems;
    }

    /** Returns the problems of a configuration of Dependabot. Each of the folders with a {@code pom.xml} has to be in it. */
    static List<String> dependabot(Path root, String yaml, Set<String> folders) {
        GitHubRules rules = new GitHubRules(root);
        Map<Object, Object> configuration = parsed(yaml);
        rules.check(Integer.valueOf(2).equals(configuration.get("version")), "the version is not 2");
        Set<Object> ecosystems = new HashSet<>();
        Set<Object> covered = new HashSet<>();
        for (Object each : list(configuration.get("updates"))) {
            Map<Object, Object> update = map(each);
            Object ecosystem = update.get("package-ecosystem");
            rules.names(
                    "an update", update, Set.of("package-ecosystem", "directory", "directories", "schedule", "groups"));
            rules.check(ECOSYSTEMS.contains(ecosystem), "unknown ecosystem " + ecosystem);
            ecosystems.add(ecosystem);
            rules.check(INTERVALS.contains(map(update.get("schedule")).get("interval")), "no interval of " + ecosystem);
            rules.check(!map(update.get("groups")).isEmpty(), "no groups of " + ecosystem);
            map(update.get("groups"))
                    .forEach((name, group) -> rules.check(
                            !list(map(group).get("patterns")).isEmpty(), "no patterns of the group " + name));
            rules.check(
                    update.containsKey("directory") != update.containsKey("directories"),
                    "no directories of " + ecosystem);
            for (Object folder : list(update.getOrDefault("directories", update.get("directory")))) {
                rules.check(Files.isDirectory(root.resolve("." + folder)), "no folder " + folder);
                if ("maven".equals(ecosystem)) {
                    covered.add(folder);
                }
            }
        }
        rules.check(ecosystems.containsAll(Arrays.asList("maven", "github-actions")), "only " + ecosystems);
        rules.check(covered.equals(folders), "Maven projects " + folders + ", but directories " + covered);
        return rules.problems;
    }
}
