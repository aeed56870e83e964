package dev.neurontest.report;

import dev.neurontest.evidence.RunEvent;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The command that runs a test again, alone: on the same platform, or on what was recorded of its host. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RerunCommand {

    private static final String RECORDING = "application/x-neuron-archive";
    private static final Pattern SEGMENT = Pattern.compile("\\[([^:\\]]+):([^\\]]*)\\]");
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_.,:=/@%+#-]+");

    private RerunCommand() {}

    /**
     * The command for Maven, from the test's unique id.
     *
     * @param report of the run
     * @param test one of its tests
     * @return such as {@code mvn test -Dtest=com.acme.BertTest#inference}, quoted for a POSIX shell; empty when the id names no class
     */
    public static Optional<String> of(RunReport report, ReportedTest test) {
        return on(platform(report, test), test);
    }

    /**
     * The command for Maven, on the recording of the host that the test has left.
     *
     * @param test of a run
     * @return empty where it has left none
     */
    public static Optional<String> onRecording(ReportedTest test) {
        return test.attachments().stream()
                .filter(attached -> attached.mediaType().equals(RECORDING))
                .flatMap(attached -> attached.file().stream())
                .findFirst()
                .flatMap(file -> on(Optional.of(replay(file.toString())), test));
    }

    /** What is behind the last question mark is taken for an option. */
    private static String replay(String file) {
        return "replay:" + file + (file.contains("?") ? "?timeline=play" : "");
    }

    private static Optional<String> on(Optional<String> platform, ReportedTest test) {
        return selection(test.id().id())
                .map(tests -> "mvn test " + quoted("-Dtest=" + tests)
                        + platform.filter(choice -> choice.chars().noneMatch(Character::isISOControl))
                                .map(choice -> " " + quoted("-Dneuron.test.platform=" + choice))
                                .orElse(""));
    }

    /** Surefire knows classes and methods, not the invocations of a template. */
    private static Optional<String> selection(String id) {
        String testClass = "";
        String method = "";
        for (Matcher segment = SEGMENT.matcher(id); segment.find(); ) {
            String value = decoded(segment.group(2));
            switch (segment.group(1)) {
                case "class", "class-template" -> testClass = value;
                case "nested-class", "nested-class-template" -> testClass += "$" + value;
                case "method", "test-template", "test-factory" -> method = "#" + value.split("\\(", 2)[0];
                default -> {
                    // an engine, or an invocation of what is named already
                }
            }
        }
        String all = testClass + method;
        return testClass.isEmpty() || all.chars().anyMatch(Character::isISOControl)
                ? Optional.empty()
                : Optional.of(all);
    }

    /** JUnit escapes what separates segments; a display name of another engine may hold anything. */
    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException plain) {
            return value;
        }
    }

    private static Optional<String> platform(RunReport report, ReportedTest test) {
        return report.jvms()
                .get(test.jvm())
                .platform()
                .map(RunEvent.PlatformChosen::choice)
                .filter(choice -> !choice.equals("auto"));
    }

    private static String quoted(String argument) {
        return SAFE.matcher(argument).matches() ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
