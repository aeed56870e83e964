package dev.neurontest.profile;

import dev.neurontest.internal.profile.ProfileMembers;
import dev.neurontest.internal.profile.ProfileText;
import dev.neurontest.internal.profile.ProfileValue;
import dev.neurontest.internal.profile.Throttling;
import dev.neurontest.internal.text.ShellText;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The profile of one graph: its traces, the tool and the way of capture.
 *
 * @param title the profiled graph, such as {@code resnet50.neff}
 * @param capture the kind of capture; profiles of different kinds are not comparable
 * @param tool name and version, such as {@code neuron-explorer 2.32.7.0}
 * @param executions the traced executions, by rank and then by execution
 * @param helpers graphs that ran in addition and are not judged: copies, layout changes, barriers
 * @param doubts the reasons why the whole profile cannot be judged
 * @param notices information for the reader that is not an error
 * @param runs the tool calls in their order
 * @param folder the folder of the files
 * @param viewer the program that opens the traces later, such as {@code /opt/aws/neuron/bin/neuron-explorer}; empty for a stand-in that is
 *     removed with its fake host
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Profile(
        String title,
        CaptureKind capture,
        String tool,
        List<TracedExecution> executions,
        List<TracedExecution> helpers,
        List<Doubt> doubts,
        List<String> notices,
        List<ToolRun> runs,
        Path folder,
        Optional<String> viewer) {

    /**
     * Creates a profile with its own copies of the lists.
     *
     * @param title the profiled graph
     * @param capture the kind of capture
     * @param tool name and version
     * @param executions the traced executions
     * @param helpers graphs that ran in addition
     * @param doubts the reasons why the whole profile cannot be judged
     * @param notices information for the reader
     * @param runs the tool calls
     * @param folder the folder of the files
     * @param viewer the program that opens the traces later
     */
    public Profile {
        executions = List.copyOf(executions);
        helpers = List.copyOf(helpers);
        doubts = List.copyOf(doubts);
        notices = List.copyOf(notices);
        runs = List.copyOf(runs);
    }

    /**
     * Returns all doubts.
     *
     * @return doubts about the whole profile, then those about single executions
     */
    public List<Doubt> allDoubts() {
        return Stream.concat(doubts.stream(), executions.stream().flatMap(each -> each.doubts().stream()))
                .distinct()
                .toList();
    }

    /**
     * Returns a number for the whole profile: the median of the executions of the worst rank. Executions in doubt count only if there are
     * no others. A first or throttled execution counts if the metric does not depend on time.
     *
     * @param metric the name in the tool
     * @return the tool's value; empty when no execution has the metric
     */
    public OptionalDouble number(String metric) {
        return ProfileValue.number(this, metric);
    }

    /**
     * Returns a text that all executions have in common.
     *
     * @param metric the name in the tool
     * @return empty when the text is absent or differs
     */
    public Optional<String> text(String metric) {
        return ProfileValue.text(this, metric);
    }

    /**
     * Returns the throttling class of the times. Times of different classes are not comparable.
     *
     * @return each limiter with the share of time under its limit, in steps of 10 points, such as {@code activity_1 30 % at 50 %}; empty
     *     when nothing throttled the device for 5 % of the time or more; {@code unknown} when a share cannot be read
     */
    public String throttleClass() {
        return Throttling.classOf(this);
    }

    /**
     * Returns the tables of the only execution that has tables.
     *
     * @return all tables that the tool wrote, such as instructions, transfers and warnings
     * @throws IllegalStateException when no execution or several executions have tables; then use {@link TracedExecution#tables()}
     */
    public ProfileTables tables() {
        List<ProfileTables> all = executions.stream()
                .flatMap(execution -> execution.tables().stream())
                .toList();
        if (all.size() != 1) {
            throw new IllegalStateException(
                    all.isEmpty()
                            ? "The profile of %s has no tables. Request them with @ProfileNeff(tables = true) or capture(neff).also(TraceExport.TABLES). Its notices give the reason if they could not be made: %s"
                                    .formatted(title, notices)
                            : "The profile of %s has tables of %s executions. Call tables() on one of executions()."
                                    .formatted(title, all.size()));
        }
        return all.get(0);
    }

    /**
     * Returns the same profile with other executions and doubts.
     *
     * @param executions executions in the order of the current ones
     * @param doubts doubts that do not belong to single executions
     * @return another profile
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Profile with(List<TracedExecution> executions, List<Doubt> doubts) {
        return new Profile(title, capture, tool, executions, helpers, doubts, notices, runs, folder, viewer);
    }

    /**
     * Returns the command that opens a trace in the tool's own viewer.
     *
     * @param execution an execution of this profile
     * @param options more options of the viewer
     * @return a shell command, such as {@code neuron-explorer view -n a.neff -s profile.ntff}; empty without a viewer
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<String> viewCommand(TracedExecution execution, String... options) {
        return viewer.map(program -> ShellText.of(Stream.concat(
                        Stream.of(
                                program,
                                "view",
                                "-n",
                                execution.neff().toString(),
                                "-s",
                                execution.ntff().toString()),
                        Stream.of(options))
                .toList()));
    }

    /**
     * Returns the profile as readable text, as attached to the test.
     *
     * @return lines of text, including the final line ending
     */
    public String toText() {
        return ProfileText.of(this);
    }

    /**
     * Returns the profile as JSON: {@code version} 1, {@code kind}, {@code title}, {@code capture}, {@code tool}, {@code folder},
     * {@code doubts}, {@code notices}, {@code executions} and {@code helpers} with all their metrics as the tool wrote them, {@code units}
     * of the known metrics, and {@code runs} of the tool.
     *
     * @return one JSON object
     */
    public String toJson() {
        return ProfileMembers.of(this);
    }
}
