package dev.neurontest.profile.system;

import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.profile.table.ProfileTables;
import dev.neurontest.recording.Attachment;
import dev.neurontest.recording.Recording;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What runtime and framework did around the device, and when: events such as {@code nrt_execute} on the host and {@code nc_exec_running}
 * on NeuronCores, in one time.
 *
 * @param title what was traced, such as {@code workloads} or {@code resnet50.neff}
 * @param tool name and version, such as {@code neuron-explorer 2.32.7.0}
 * @param read what is in it
 * @param doubts why nothing can be decided by its events, such as that some were dropped
 * @param notices what a reader should know although nothing is wrong
 * @param runs the calls of the tool, in their order
 * @param folder where the files are
 * @param tablesFolder where the tables are; empty when there are none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SystemProfile(
        String title,
        String tool,
        SystemEvents read,
        List<Doubt> doubts,
        List<String> notices,
        List<ToolRun> runs,
        Path folder,
        Optional<Path> tablesFolder)
        implements Recording {

    /**
     * Keeps its own copies.
     *
     * @param title what was traced
     * @param tool name and version
     * @param read what is in it
     * @param doubts why nothing can be decided
     * @param notices what a reader should know
     * @param runs the calls of the tool
     * @param folder where the files are
     * @param tablesFolder where the tables are
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public SystemProfile {
        doubts = List.copyOf(doubts);
        notices = List.copyOf(notices);
        runs = List.copyOf(runs);
    }

    /**
     * What is in it.
     *
     * @return all that was read
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    @Override
    public SystemEvents read() {
        return read;
    }

    /**
     * What events took, by name.
     *
     * @return those that took longest in all first
     */
    public List<EventTimes> events() {
        return read.times();
    }

    /**
     * What the events of one name took.
     *
     * @param name such as {@code nrt_execute}
     * @return empty when there is none of that name, which is not zero: it may not have been traced
     */
    public Optional<EventTimes> event(String name) {
        return read.times().stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /**
     * How busy the host was.
     *
     * @return empty values where that was not traced
     */
    public HostUse host() {
        return read.use();
    }

    /**
     * All events, and what else the tool wrote of the system.
     *
     * @return the tables, such as {@code SystemProfileEvents}
     * @throws IllegalStateException when there are none
     */
    public ProfileTables tables() {
        return tablesFolder
                .map(ProfileTables::of)
                .orElseThrow(() -> new IllegalStateException(
                        "The system profile of %s has no tables; its notices say why: %s".formatted(title, notices)));
    }

    @Override
    public String kind() {
        return "system-profile";
    }

    @Override
    public String toText() {
        return SystemProfileText.of(this);
    }

    /**
     * The profile for a program: {@code version} 1, {@code kind}, {@code title}, {@code tool}, {@code folder}, {@code tables},
     * {@code doubts}, {@code notices}, and {@code events}, each with {@code name}, {@code place} (host or device), {@code count} and
     * {@code totalNanos}, {@code p50Nanos}, {@code p99Nanos} and {@code maxNanos}; {@code host} where CPU or memory were traced.
     *
     * @return one JSON object
     */
    @Override
    public String toJson() {
        return SystemProfileText.json(this);
    }

    /** The timeline. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    @Override
    public List<Attachment> attachments() {
        return List.of(
                new Attachment(".html", "text/html", SystemPicture.html(this).getBytes(StandardCharsets.UTF_8)));
    }
}
