package dev.neurontest.internal.report;

import dev.neurontest.internal.cluster.HostEngine;
import dev.neurontest.internal.configuration.Origin;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.TestTool;
import dev.neurontest.internal.text.ShellText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The command to repeat a single test. It uses the same tool, the root of the build, the same settings, and the same platform or the
 * recording of its host.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RerunCommand {

    private static final String RECORDING = "application/x-neuron-archive";
    private static final Pattern SEGMENT = Pattern.compile("\\[([^:\\]]+):([^\\]]*)\\]");

    /** Default names of Failsafe's tests. They are needed because a JVM of Failsafe is indistinguishable from one of Surefire. */
    private static final Pattern OF_FAILSAFE = Pattern.compile("(.*[.])?(IT[^.$]*|[^.$]*(IT|ITCase))([$].*)?");

    private RerunCommand() {}

    /** A test as selected by tools. Invocations of a test template or of a factory are numbered from 1. */
    private record Selection(String testClass, String method, Optional<String> invocation, boolean dynamic) {

        String separatedBy(String separator) {
            return testClass + (method.isEmpty() ? "" : separator + method);
        }
    }

    /**
     * Returns the command, based on the unique id of the test.
     *
     * @return for example {@code mvn test -Dtest=com.acme.BertTest#inference}, quoted for a POSIX shell; empty when the tool is unknown, or
     *     the id contains no class
     */
    public static Optional<String> of(RunReport report, ReportedTest test) {
        return command(settings(report.jvms().get(test.jvm())), report, test);
    }

    /**
     * Returns the command with the recording of the host that the test attached.
     *
     * @return empty when the test has no recording, or there is no command
     */
    public static Optional<String> onRecording(RunReport report, ReportedTest test) {
        return test.attachments().stream()
                .filter(attached -> attached.mediaType().equals(RECORDING))
                .flatMap(attached -> attached.file().stream())
                .findFirst()
                .flatMap(file -> {
                    Map<Setting<?>, String> settings = settings(report.jvms().get(test.jvm()));
                    boolean isInModule =
                            tool(report, test).map(TestTool::target).isPresent();
                    settings.put(
                            Setting.PLATFORM,
                            replay(isInModule ? file.toAbsolutePath().normalize() : file));
                    return command(settings, report, test);
                });
    }

    /**
     * Returns the setting for replaying a recording. Tests of a module need an absolute path, because a module has its own working
     * directory. Text after the last question mark is parsed as an option, therefore a path with a question mark gets an option.
     */
    private static String replay(Path recording) {
        String file = recording.toString();
        return "replay:" + file + (file.contains("?") ? "?timeline=play" : "");
    }

    /**
     * Returns the settings that were given outside of the project. Parameters of JUnit are in its files, or in the options of
     * {@code neuron-test run}. The whole suite is one shard that certainly contains the test, whatever shard the shell chooses.
     */
    private static Map<Setting<?>, String> settings(ReportedJvm jvm) {
        Map<Setting<?>, String> settings = new LinkedHashMap<>();
        // Run files of version 2 have no settings other than the platform of the open host.
        jvm.platform()
                .map(RunEvent.PlatformChosen::choice)
                .filter(choice -> !choice.equals("auto"))
                .ifPresent(choice -> settings.put(Setting.PLATFORM, choice));
        for (Setting<?> setting : Setting.all()) {
            jvm.settings().stream()
                    .flatMap(List::stream)
                    .filter(given -> given.name().equals(setting.name()))
                    .filter(given -> setting == Setting.PLATFORM || given.origin() != Origin.JUNIT_PARAMETER)
                    .forEach(given -> settings.put(setting, given.value()));
        }
        if (!jvm.shards().isEmpty()) {
            settings.put(Setting.SHARD, "none");
        }
        return settings;
    }

    private static Optional<String> command(Map<Setting<?>, String> settings, RunReport report, ReportedTest test) {
        List<String> allocation = allocation(report.jvms().get(test.jvm()).hosts(test));
        return selection(test.id().id())
                .flatMap(selected -> tool(report, test).flatMap(tool -> command(allocation, tool, selected, settings)))
                .filter(RerunCommand::isPlain);
    }

    /** Returns the words that run a command in an allocation with as many nodes; none for other hosts, which the settings tell. */
    private static List<String> allocation(List<RunEvent.HostAdded> hosts) {
        boolean ofSlurm = hosts.stream().anyMatch(host -> host.engine().equals(HostEngine.SLURM));
        return ofSlurm ? List.of("salloc", "--nodes=" + hosts.size()) : List.of();
    }

    private static Optional<TestTool> tool(RunReport report, ReportedTest test) {
        return report.jvms().get(test.jvm()).start().map(RunEvent.RunStarted::tool);
    }

    private static Optional<String> command(
            List<String> allocation, TestTool tool, Selection test, Map<Setting<?>, String> settings) {
        return switch (tool.name()) {
            case TestTool.MAVEN -> Optional.of(maven(allocation, tool, test, settings));
            case TestTool.GRADLE -> Optional.of(gradle(allocation, "gradle", tool, test, settings));
            case TestTool.GRADLE_WRAPPER -> Optional.of(gradle(allocation, "./gradlew", tool, test, settings));
            case TestTool.NEURON_TEST -> Optional.of(neuronTest(allocation, tool, test, settings));
            default -> Optional.empty();
        };
    }

    /** Returns the command for Maven. A module needs the modules that it depends on, and these do not contain the test. */
    private static String maven(
            List<String> allocation, TestTool tool, Selection test, Map<Setting<?>, String> settings) {
        boolean ofFailsafe = OF_FAILSAFE.matcher(test.testClass()).matches();
        // A comma or a plus would separate two tests; a question mark matches any character.
        String selected = test.separatedBy("#").replaceAll("[,+]", "?");
        List<String> words = new ArrayList<>(allocation);
        words.addAll(List.of("mvn", ofFailsafe ? "verify" : "test"));
        if (tool.target() != null) {
            words.addAll(List.of("-pl", tool.target(), "-am"));
        }
        words.addAll(ofFailsafe ? List.of("-Dit.test=" + selected, "-Dtest=none") : List.of("-Dtest=" + selected));
        if (ofFailsafe || tool.target() != null) {
            words.add("-Dsurefire.failIfNoSpecifiedTests=false");
        }
        if (ofFailsafe && tool.target() != null) {
            words.add("-Dfailsafe.failIfNoSpecifiedTests=false");
        }
        withInvocation(settings, test).forEach((setting, value) -> words.add("-D" + setting.name() + "=" + value));
        return ShellText.of(words);
    }

    /**
     * Returns the command for Gradle. Settings are environment variables, because the test JVMs do not inherit system properties of Gradle.
     * Without {@code --rerun}, Gradle does not repeat a passed test.
     */
    private static String gradle(
            List<String> allocation, String program, TestTool tool, Selection test, Map<Setting<?>, String> settings) {
        String environment = withInvocation(settings, test).entrySet().stream()
                .map(setting -> setting.getKey().environmentVariable() + "=" + ShellText.of(setting.getValue()) + " ")
                .collect(Collectors.joining());
        String task = tool.target() == null ? "test" : tool.target();
        List<String> words = new ArrayList<>(allocation);
        words.addAll(List.of(program, task, "--rerun", "--tests", test.separatedBy(".")));
        return environment + ShellText.of(words);
    }

    private static String neuronTest(
            List<String> allocation, TestTool tool, Selection test, Map<Setting<?>, String> settings) {
        List<String> words = new ArrayList<>(allocation);
        words.addAll(List.of("neuron-test", "run"));
        words.addAll(tool.options() == null ? List.of() : tool.options());
        words.addAll(
                test.method().isEmpty()
                        ? List.of("-c", test.testClass())
                        : List.of(
                                "-m",
                                test.separatedBy("#")
                                        + test.invocation()
                                                .map("[%s]"::formatted)
                                                .orElse("")));
        settings.forEach((setting, value) -> {
            String assignment = setting.name() + "=" + value;
            if (setting == Setting.PLATFORM) {
                words.addAll(List.of("--platform", value));
            } else if (words.stream().noneMatch(word -> word.endsWith(assignment))) {
                words.addAll(List.of("--config", assignment));
            }
        });
        return ShellText.of(words);
    }

    /**
     * Adds the invocation to the settings. Build tools select classes and methods, and the extension selects the invocation. It cannot
     * select dynamic tests.
     */
    private static Map<Setting<?>, String> withInvocation(Map<Setting<?>, String> settings, Selection test) {
        Map<Setting<?>, String> all = new LinkedHashMap<>(settings);
        if (!test.dynamic()) {
            test.invocation().ifPresent(number -> all.put(Setting.INVOCATION, number));
        }
        return all;
    }

    private static Optional<Selection> selection(String id) {
        String testClass = "";
        String method = "";
        Optional<String> invocation = Optional.empty();
        boolean dynamic = false;
        for (Matcher segment = SEGMENT.matcher(id); segment.find(); ) {
            String value = decoded(segment.group(2));
            switch (segment.group(1)) {
                case "class", "class-template" -> testClass = value;
                case "nested-class", "nested-class-template" -> testClass += "$" + value;
                case "method", "test-template", "test-factory" -> {
                    // A name may contain parentheses, such as of a Kotlin test. Types do not.
                    int types = value.lastIndexOf('(');
                    method = types < 0 ? value : value.substring(0, types);
                }
                case "test-template-invocation" -> invocation = number(value);
                case "dynamic-test", "dynamic-container" -> {
                    // Tests inside a dynamic container run with it.
                    invocation = dynamic ? invocation : number(value);
                    dynamic = true;
                }
                default -> {
                    // An engine, or an invocation of a class; of the class, all invocations are repeated.
                }
            }
        }
        return testClass.isEmpty()
                ? Optional.empty()
                : Optional.of(new Selection(testClass, method, invocation, dynamic));
    }

    private static Optional<String> number(String invocation) {
        return Optional.of(invocation.replace("#", "")).filter(digits -> digits.matches("[1-9][0-9]{0,8}"));
    }

    /** Decodes a segment. JUnit escapes the separators of segments; a display name of another engine may contain any characters. */
    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException plain) {
            return value;
        }
    }

    private static boolean isPlain(String text) {
        return text.chars().noneMatch(Character::isISOControl);
    }
}
