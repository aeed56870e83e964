package dev.neurontest.internal.profile.tool;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.device.runtime.RuntimeVariables;
import dev.neurontest.internal.process.ChildEnvironment;
import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.status.RuntimeLines;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.ProgramNotStartedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A finished call of a profiler tool. All its processes have ended, and its output is bounded and redacted.
 *
 * @param run the record for evidence; its log contains both streams, shortened
 * @param stdout standard output
 * @param stderr standard error
 * @param end the end of the process
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ToolCall(ToolRun run, String stdout, String stderr, ChildEnd end) {

    /** Option of a capture for tracing the descriptors that the device generates. */
    public static final String DGE_NOTIFICATIONS = "--enable-dge-notifs";

    /** Maximum size of the output and of a line. A summary of many graphs can be a single line. */
    private static final int OUTPUT = 8 << 20;

    /** Number of characters from the beginning and from the end of a log that are kept in memory. The log file contains more. */
    private static final int LOGGED = 64 << 10;

    private static final Duration AT_LEAST = Duration.ofMinutes(15);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(10);

    /** Time after which a listener is first notified about a long call. */
    private static final Duration LONG = Duration.ofSeconds(5);

    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(30);

    /** Checks whether the tool exited with code 0 before its deadline. */
    public boolean succeeded() {
        return end.cause() == ChildEnd.Cause.EXITED
                && end.exitCode().filter(ExitCode::isZero).isPresent();
    }

    /** Checks whether the tool exited on its own, with any exit code, and not by a signal. */
    public boolean wasComplete() {
        return end.cause() == ChildEnd.Cause.EXITED
                && end.exitCode().flatMap(ExitCode::signal).isEmpty();
    }

    /** Returns the output: standard output, then standard error. */
    public ToolLog log() {
        return new ToolLog(stdout + (stdout.isEmpty() || stdout.endsWith("\n") ? "" : "\n") + stderr);
    }

    /** Returns the record for evidence, with another log. */
    public ToolRun logged(String text) {
        return new ToolRun(run.command(), run.end(), run.took(), shortened(text), run.report());
    }

    private static String shortened(String log) {
        return log.length() <= 2 * LOGGED
                ? log
                : log.substring(0, LOGGED)
                        + "\n[... %s characters left out ...]\n".formatted(log.length() - 2 * LOGGED)
                        + log.substring(log.length() - LOGGED);
    }

    /**
     * Creates a builder for a call.
     *
     * @param arguments arguments after the name of the program
     * @param environment the whole environment of the call
     */
    public static Builder of(Path program, List<String> arguments, ChildEnvironment environment) {
        return new Builder(
                Stream.concat(Stream.of(program.toString()), arguments.stream()).toList(), environment);
    }

    /**
     * Returns the default deadline of a call.
     *
     * @param files the input file of the call, or its folder
     * @param perMebibyte time per MiB of input, in addition to 15 minutes
     * @return 15 minutes when the size of the input is unknown
     */
    public static Duration deadline(Path files, Duration perMebibyte) {
        long bytes = 0;
        try (Stream<Path> all = Files.walk(files)) {
            for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                bytes += Files.size(file);
            }
        } catch (IOException | UncheckedIOException unknown) {
            bytes = 0;
        }
        return AT_LEAST.plus(perMebibyte.multipliedBy(bytes >> 20));
    }

    /**
     * Returns the environment of a tool: this JVM's environment without variables for another runtime, and always with a home.
     *
     * @param cores the cores that the tool may use; empty for a call without cores
     * @param platform variables of the host
     * @param homeIfNone home directory, where this JVM has none
     */
    public static ChildEnvironment environment(
            Optional<List<NeuronCore>> cores, Map<String, String> platform, Path homeIfNone) {
        String home = System.getenv().getOrDefault("HOME", "");
        return ChildEnvironment.INHERITED
                .without(RuntimeVariables::isOfRuntime)
                .with(Map.of("HOME", home.isEmpty() ? homeIfNone.toString() : home))
                .with(platform)
                .with(cores.map(RuntimeVariables::ofCores).orElse(Map.of()));
    }

    /** Builder of a call. */
    public static final class Builder {

        private final List<String> command;
        private final ChildProcess.Builder child;
        private Duration deadline = AT_LEAST;
        private Consumer<ProcessHandle> started = process -> {};
        private BiConsumer<ProcessHandle, ChildEnd> ended = (process, end) -> {};
        private String work = "";
        private Consumer<String> listener = sentence -> {};

        private Builder(List<String> command, ChildEnvironment environment) {
            this.command = command;
            this.child = ChildProcess.command(command)
                    .environment(environment)
                    .outputLimit(OUTPUT)
                    .longestLine(OUTPUT)
                    .stopsWithin(STOPS_WITHIN);
        }

        /** Sets the deadline; the call is ended after it. */
        public Builder deadline(Duration atMost) {
            this.deadline = atMost;
            child.deadline(atMost);
            return this;
        }

        /**
         * Sets the working directory and the output file.
         *
         * @param directory an existing folder
         */
        public Builder in(Path directory, Path output) {
            child.directory(directory).output(output);
            return this;
        }

        /**
         * Keeps files locked while the call runs.
         *
         * @param files the locked files; may be empty
         */
        public Builder locks(List<ProgramLock> files) {
            child.locks(files);
            return this;
        }

        /** Registers observers of the process, for its start and its end. */
        public Builder observed(Consumer<ProcessHandle> atStart, BiConsumer<ProcessHandle, ChildEnd> atEnd) {
            this.started = atStart;
            this.ended = atEnd;
            return this;
        }

        /**
         * Registers a listener for long calls. It is notified after 5 seconds and then every 30 seconds.
         *
         * @param work description of the call, such as {@code the capture of a.neff}
         * @param listener receives each sentence
         */
        public Builder takesLong(String work, Consumer<String> listener) {
            this.work = work;
            this.listener = listener;
            return this;
        }

        /**
         * Runs the call to its end. An interrupt of the thread ends the call at once, and the thread remains interrupted.
         *
         * @throws ProgramNotStartedException when the program cannot be started
         */
        public ToolCall run() {
            try (ChildProcess process = child.start()) {
                started.accept(process.handle());
                ChildEnd end = process.await(LONG, REPORT_INTERVAL, age -> listener.accept(soFar(process, age)));
                ended.accept(process.handle(), end);
                String stdout = process.stdout();
                String stderr = process.stderr();
                ToolRun run = new ToolRun(
                        Redaction.mask(command),
                        endText(end),
                        end.duration(),
                        shortened(joined(stdout, stderr, end.notices())),
                        RuntimeLines.in(joined(stdout, stderr, List.of()))
                                .withDgeNotifications(command.contains(DGE_NOTIFICATIONS)));
                return new ToolCall(run, stdout, stderr, end);
            }
        }

        private String soFar(ChildProcess process, Duration age) {
            return "%s (pid %s) has taken %s so far, and is ended after %s."
                    .formatted(
                            work,
                            process.handle().pid(),
                            DurationText.limit(age.truncatedTo(ChronoUnit.SECONDS)),
                            DurationText.limit(deadline));
        }

        private static String joined(String stdout, String stderr, List<String> notices) {
            return Stream.concat(Stream.of(stdout, stderr), notices.stream())
                    .filter(text -> !text.isEmpty())
                    .map(text -> text.endsWith("\n") ? text : text + "\n")
                    .collect(Collectors.joining());
        }

        private String endText(ChildEnd end) {
            String code = end.exitCode().map(ExitCode::toString).orElse("not even SIGKILL ended it");
            List<String> parts = new ArrayList<>();
            switch (end.cause()) {
                case EXITED -> parts.add(code);
                case TIMED_OUT ->
                    parts.add("took longer than %s and was ended".formatted(DurationText.limit(deadline)));
                case STOPPED -> parts.add("was stopped");
                case INTERRUPTED -> parts.add("was ended because its test was interrupted");
            }
            if (end.killed()) {
                parts.add("by SIGKILL, because SIGTERM did not end it");
            }
            if (!end.leftRunning().isEmpty()) {
                parts.add("its remaining processes were ended too (pid %s)".formatted(ListText.of(end.leftRunning())));
            }
            return String.join(", ", parts);
        }
    }
}
