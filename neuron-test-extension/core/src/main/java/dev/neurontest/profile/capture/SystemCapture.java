package dev.neurontest.profile.capture;

import dev.neurontest.process.OutputFolder;
import dev.neurontest.profile.system.SystemEvents;
import dev.neurontest.profile.system.SystemProfile;
import dev.neurontest.profile.tool.ToolNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Traces what runtime and framework do while a workload runs: the runtime of the workload is told by its environment to do so.
 *
 * <pre>{@code
 * SystemCapture system = profiler.system().eventTypes("nrt_execute", "nc_exec_running");
 * workloads.command("python", "infer.py").environment(system.environment()).run();
 * assertThat(system.collect()).event("nrt_execute").p99().isAtMost("2 ms");
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SystemCapture {

    private static final String ON = "1";

    private final Profiler profiler;
    private final Profiler.Context context;
    private final Supplier<Path> place;
    private final Map<String, String> variables = new LinkedHashMap<>();
    private @Nullable Path folder;
    private @Nullable Duration deadline;
    private Duration settlesWithin = Duration.ofSeconds(10);
    private long most = SystemEvents.MOST_PER_CORE;

    /** Without traces of the device. */
    SystemCapture(Profiler profiler, Profiler.Context context) {
        this.profiler = profiler;
        this.context = context;
        this.place = this::ownFolder;
        this.deadline = context.deadline().orElse(null);
        variables.put("NEURON_RT_INSPECT_SYSTEM_PROFILE", ON);
    }

    /** Beside another capture, in its folder. */
    SystemCapture(Profiler profiler, Profiler.Context context, Supplier<Path> place) {
        this.profiler = profiler;
        this.context = context;
        this.place = place;
        this.deadline = context.deadline().orElse(null);
        variables.put("NEURON_RT_INSPECT_SYSTEM_PROFILE", ON);
    }

    /**
     * Traces the events of some cores only.
     *
     * @param numbers of logical cores, as the runtime of the workload counts them
     * @return this
     * @throws IllegalArgumentException when there are none, or one is negative
     */
    public SystemCapture cores(int... numbers) {
        if (numbers.length == 0 || IntStream.of(numbers).anyMatch(number -> number < 0)) {
            throw new IllegalArgumentException("Give the numbers of cores, from 0 on: cores(0, 2).");
        }
        variables.put(
                "NEURON_RT_INSPECT_EVENT_FILTER_NC",
                IntStream.of(numbers).mapToObj(Integer::toString).collect(Collectors.joining(",")));
        return this;
    }

    /**
     * Traces some events only. The runtime drops fewer of them then, and demands on others are undecided.
     *
     * @param types as the runtime names them: {@code hardware}, {@code software}, a name such as {@code nrt_execute}, or a name that
     *     is left out such as {@code ^cc_exec}
     * @return this
     * @throws IllegalArgumentException when there are none, or one has characters that no name has
     */
    public SystemCapture eventTypes(String... types) {
        if (types.length == 0) {
            throw new IllegalArgumentException("Give at least one type of events, such as \"nrt_execute\".");
        }
        variables.put("NEURON_RT_INSPECT_EVENT_FILTER_TYPE", String.join(",", checked(types)));
        return this;
    }

    /** A comma, or a dash in front, would be something else to runtime and tool. */
    static List<String> checked(String... types) {
        List<String> all = List.of(types);
        if (!all.stream().allMatch(type -> type.matches("\\^?[A-Za-z0-9_]+"))) {
            throw new IllegalArgumentException(
                    "%s are no types of events. Give names such as \"nrt_execute\", \"hardware\" or \"^cc_exec\"; capture -t systrace --systrace-get-event-types prints them."
                            .formatted(all));
        }
        return all;
    }

    /**
     * How many events of a core the runtime keeps; 1,000,000 without. It drops older ones without a word, so that all demands are
     * undecided when a core has as many.
     *
     * @param perCore at least 1
     * @return this
     * @throws IllegalArgumentException when it is less
     */
    public SystemCapture mostEvents(long perCore) {
        if (perCore < 1) {
            throw new IllegalArgumentException("At least 1 event of a core must be kept, not %s.".formatted(perCore));
        }
        this.most = perCore;
        variables.put("NEURON_RT_INSPECT_SYS_TRACE_MAX_EVENTS_PER_NC", Long.toString(perCore));
        return this;
    }

    /**
     * Traces how busy the CPUs and the memory of the host are, too.
     *
     * @return this
     */
    public SystemCapture hostUse() {
        variables.put("NEURON_RT_INSPECT_CPU_UTIL", ON);
        variables.put("NEURON_RT_INSPECT_HOST_MEMORY", ON);
        return this;
    }

    /**
     * How long files may take to be complete after the workload has ended; 10 seconds without.
     *
     * @param atMost while files come and grow
     * @return this
     */
    public SystemCapture settlesWithin(Duration atMost) {
        this.settlesWithin = atMost;
        return this;
    }

    /**
     * How long each call of the tool may take; 15 minutes and two seconds for each MiB of the trace without.
     *
     * @param atMost after which it is ended with everything that it started
     * @return this
     */
    public SystemCapture deadline(Duration atMost) {
        this.deadline = atMost;
        return this;
    }

    /** What a capture of the device does not say. */
    Map<String, String> variables() {
        return variables;
    }

    /**
     * What the workload must be told where no device is traced; else ask {@link InspectCapture#environment()}. To be set before the
     * runtime is loaded, and not together with the profiler of a framework.
     *
     * @return variables by name; the folder that they name is this capture's own
     */
    public Map<String, String> environment() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("NEURON_RT_INSPECT_ENABLE", ON);
        all.put("NEURON_RT_INSPECT_DEVICE_PROFILE", "0");
        all.put("NEURON_RT_INSPECT_OUTPUT_DIR", written().toAbsolutePath().toString());
        all.putAll(variables);
        return all;
    }

    /**
     * Reads what the runtime left. The workload must have ended, since the runtime writes most of it at its end.
     *
     * @return what was seen, also where that is nothing; its doubts say why
     * @throws ToolNotFoundException when there is no tool
     */
    public SystemProfile collect() {
        SystemViewer viewer =
                new SystemViewer(context.tool().get(), context, Optional.ofNullable(deadline), place.get(), most);
        return profiler.made(collected(viewer));
    }

    private SystemProfile collected(SystemViewer viewer) {
        String title = "workloads";
        try {
            InspectFiles files = InspectFiles.await(written(), settlesWithin, InspectFiles::hasSystemProfile);
            return files.hasSystemProfile()
                    ? viewer.view(title, written())
                    : viewer.nothing(
                            title,
                            "There is no %s in %s. The workload did not use the runtime, or not with the variables of environment(), or was killed: SIGKILL loses traces."
                                    .formatted(InspectFiles.SYSTEM, written()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return viewer.nothing(title, "The test was interrupted. The traces are in %s.".formatted(written()));
        } catch (IOException e) {
            return viewer.nothing(
                    title,
                    "The traces in %s cannot be listed (%s). Let this user read the folders in it."
                            .formatted(written(), e));
        }
    }

    private Path written() {
        return place.get().resolve("inspect");
    }

    private synchronized Path ownFolder() {
        if (folder == null) {
            Path parent = context.folder().get();
            try {
                folder = OutputFolder.fresh(parent, "profile-system");
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "The folder for a profile cannot be made in %s (%s). Choose another one, or make room."
                                .formatted(parent, e),
                        e);
            }
        }
        return folder;
    }
}
