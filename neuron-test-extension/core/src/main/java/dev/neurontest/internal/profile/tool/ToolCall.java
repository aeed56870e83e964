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
 * A call of a profiler tool that is over: whatever it started is ended, its output is bounded and masked.
 *
 * @param run what evidence keeps of it; its log is both streams, shortened
 * @param stdout what it printed there
 * @param stderr what it printed there
 * @param end how it ended
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ToolCall(ToolRun run, String stdout, String stderr, ChildEnd end) {

    /** The option of a capture that traces descriptors made on the device. */
    public static final String DGE_NOTIFICATIONS = "--enable-dge-notifs";

    /** A summary of many graphs may be one line. */
    private static final int OUTPUT = 8 << 20;

    /** How many characters of the beginning and of the end of a log are kept in memory; its file has more. */
    private static final int LOGGED = 64 << 10;

    private static final Duration AT_LEAST = Duration.ofMinutes(15);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(10);

    /** From when on a person is told that a call takes long, and how often then. */
    private static final Duration LONG = Duration.ofSeconds(5);

    private static final Duration TOLD_EVERY = Duration.ofSeconds(30);

    /**
     * Whether it ended by itself, with exit code 0.
     *
     * @return whether it did
     */
    public boolean succeeded() {
        return end.cause() == ChildEnd.Cause.EXITED
                && end.exitCode().filter(ExitCode::isZero).isPresent();
    }

    /**
     * Whether it ended by itself, well or not.
     *
     * @return whether it did
     */
    public boolean wasComplete() {
        return end.cause() == ChildEnd.Cause.EXITED
                && end.exitCode().flatMap(ExitCode::signal).isEmpty();
    }

    /**
     * What it printed.
     *
     * @return standard output, then standard error
     */
    public ToolLog log() {
        return new ToolLog(stdout + (stdout.isEmpty() || stdout.endsWith("\n") ? "" : "\n") + stderr);
    }

    /**
     * What evidence keeps of it, with another log.
     *
     * @param text the log to keep
     * @return for evidence
     */
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
     * Begins a call.
     *
     * @param program of the tool
     * @param arguments after its name
     * @param environment all that it gets
     * @return takes the rest
     */
    public static Builder of(Path program, List<String> arguments, ChildEnvironment environment) {
        return new Builder(
                Stream.concat(Stream.of(program.toString()), arguments.stream()).toList(), environment);
    }

    /**
     * Returns how long a call may take unless someone says otherwise.
     *
     * @param files what it reads, or the folder of it
     * @param perMebibyte beyond 15 minutes
     * @return 15 minutes alone where its size is not known
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
     * What a tool gets of this JVM's environment: nothing that was said to another runtime, and always a home.
     *
     * @param cores what it may use; empty for a call that uses none
     * @param platform variables of the host
     * @param homeIfNone where this JVM has no home
     * @return the environment
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

    /** How a tool is called. */
    public static final class Builder {

        private final List<String> command;
        private final ChildProcess.Builder child;
        private Duration deadline = AT_LEAST;
        private Consumer<ProcessHandle> started = process -> {};
        private BiConsumer<ProcessHandle, ChildEnd> ended = (process, end) -> {};
        private String what = "";
        private Consumer<String> person = sentence -> {};

        private Builder(List<String> command, ChildEnvironment environment) {
            this.command = command;
            this.child = ChildProcess.command(command)
                    .environment(environment)
                    .outputLimit(OUTPUT)
                    .longestLine(OUTPUT)
                    .stopsWithin(STOPS_WITHIN);
        }

        /**
         * Limits its time.
         *
         * @param atMost until it is ended
         * @return this builder
         */
        public Builder deadline(Duration atMost) {
            this.deadline = atMost;
            child.deadline(atMost);
            return this;
        }

        /**
         * Where it works, and where its output is written.
         *
         * @param directory an existing folder
         * @param output a file
         * @return this builder
         */
        public Builder in(Path directory, Path output) {
            child.directory(directory).output(output);
            return this;
        }

        /**
         * Keeps files locked as long as it runs.
         *
         * @param files none without
         * @return this builder
         */
        public Builder locks(List<ProgramLock> files) {
            child.locks(files);
            return this;
        }

        /**
         * Tells of its process.
         *
         * @param atStart hears of the process
         * @param atEnd hears how it ended
         * @return this builder
         */
        public Builder observed(Consumer<ProcessHandle> atStart, BiConsumer<ProcessHandle, ChildEnd> atEnd) {
            this.started = atStart;
            this.ended = atEnd;
            return this;
        }

        /**
         * Tells a person that it takes long, after 5 seconds and then every 30.
         *
         * @param work what it does, such as {@code the capture of a.neff}
         * @param told hears each sentence
         * @return this builder
         */
        public Builder takesLong(String work, Consumer<String> told) {
            this.what = work;
            this.person = told;
            return this;
        }

        /**
         * Runs it to its end. An interrupted thread ends it at once and stays interrupted.
         *
         * @return how it ended
         * @throws ProgramNotStartedException when it cannot be run
         */
        public ToolCall run() {
            try (ChildProcess process = child.start()) {
                started.accept(process.handle());
                ChildEnd end = process.await(LONG, TOLD_EVERY, age -> person.accept(soFar(process, age)));
                ended.accept(process.handle(), end);
                String stdout = process.stdout();
                String stderr = process.stderr();
                ToolRun run = new ToolRun(
                        Redaction.mask(command),
                        how(end),
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
                            what,
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

        private String how(ChildEnd end) {
            String code = end.exitCode().map(ExitCode::toString).orElse("not even SIGKILL ended it");
            List<String> how = new ArrayList<>();
            switch (end.cause()) {
                case EXITED -> how.add(code);
                case TIMED_OUT -> how.add("took longer than %s and was ended".formatted(DurationText.limit(deadline)));
                case STOPPED -> how.add("was stopped");
                case INTERRUPTED -> how.add("was ended because its test was interrupted");
            }
            if (end.killed()) {
                how.add("by SIGKILL, because SIGTERM did not do");
            }
            if (!end.leftRunning().isEmpty()) {
                how.add("what it left running was ended too (pid %s)".formatted(ListText.of(end.leftRunning())));
            }
            return String.join(", ", how);
        }
    }
}
