package dev.neurontest.internal.command;

import dev.neurontest.internal.archive.HostArchive;
import dev.neurontest.internal.archive.HostPicture;
import dev.neurontest.internal.archive.HostRecorder;
import dev.neurontest.internal.command.run.CommandException;
import dev.neurontest.internal.command.run.ExitStatus;
import dev.neurontest.internal.evidence.Machine;
import dev.neurontest.internal.file.FileProblem;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.terminal.Progress;
import dev.neurontest.internal.text.DurationText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that records a host for replay on a machine without one. */
@Command(
        name = "record",
        exitCodeList = {
            "0:the host was recorded, and COMMAND ended with 0 if one was given",
            "2:the host could not be recorded",
            "other:the exit code of COMMAND"
        },
        description = {
            "Writes the contents of all files of a host into one text, which --platform replay:FILE serves as a host."
                    + " With --for or a COMMAND it also records how the devices change. Clears nothing.",
            "Files are read with the rights of the current user: files that only root can read are recorded as unreadable."
        },
        footer = {
            "",
            "Examples:",
            "  neuron-test record -o host.archive.txt",
            "  neuron-test record -o minute.archive.txt.gz --for 60s --every 100ms",
            "  neuron-test record -o run.archive.txt --redact-serial-numbers -- python3 infer.py",
            "  neuron-test doctor --platform replay:host.archive.txt"
        })
final class RecordCommand extends Subcommand {

    private static final Duration EVERY = Duration.ofMillis(100);
    private static final int LIMIT = 64 << 20;

    @Mixin
    private HostOption host = new HostOption();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "the file to write, replaced if it exists; packed if its name ends with .gz; the default is standard output")
    private @Nullable Path file;

    @Option(
            names = "--redact-serial-numbers",
            description = "write zeros for serial numbers, and leave out the name of the machine")
    private boolean redacting;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationOption.class,
            description = "record changes for this long, such as 30s")
    private @Nullable Duration lasting;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = DurationOption.class,
            description = "the time between two reads of the devices; the default is 100ms")
    private @Nullable Duration interval;

    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "record changes while this command runs; put it after --")
    private List<String> command = List.of();

    private volatile @Nullable Process child;
    private boolean ended;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        try (Platform platform = Platform.open(host.settings())) {
            HostPicture picture = HostPicture.of(
                    platform.host().tree(),
                    new HostPicture.Options(
                            redacting, platform.kind() == Platform.Kind.REAL ? Machine.name() : Optional.empty()));
            if (lasting == null && command.isEmpty()) {
                write(picture.archive(), platform);
                return ExitStatus.PASSED;
            }
            return record(picture, platform);
        }
    }

    private void check() {
        @Nullable String problem = null;
        if (lasting != null && !command.isEmpty()) {
            problem = "--for and a COMMAND both define how long to record: remove one of them";
        } else if (interval != null && lasting == null && command.isEmpty()) {
            problem = "--every needs --for or a COMMAND: without them the host is read once";
        } else if (file == null && !command.isEmpty()) {
            problem = "standard output belongs to the COMMAND: set the file of the recording with -o FILE";
        }
        if (problem != null) {
            throw misused(problem);
        }
        host.files().output("-o", file);
    }

    /** Records until the end of the time or of the command. Ctrl-C ends it early without a loss of data. */
    private int record(HostPicture picture, Platform platform) throws InterruptedException {
        HostRecorder recorder = HostRecorder.start(picture, device -> true, interval == null ? EVERY : interval, LIMIT);
        Thread atExit = new Thread(() -> endAtExit(recorder, platform), "neuron-test-record");
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            int status = ExitStatus.PASSED;
            if (lasting != null) {
                last(lasting);
            } else {
                status = runCommand(recorder, platform);
            }
            end(recorder, platform);
            return status;
        } finally {
            recorder.close();
            remove(atExit);
        }
    }

    /**
     * Waits for the given duration and shows the progress. While a COMMAND runs, no progress is shown, because the terminal belongs to the
     * COMMAND.
     */
    private void last(Duration whole) throws InterruptedException {
        long began = System.nanoTime();
        Progress progress = progress(() ->
                "recording: %s s of %s".formatted((System.nanoTime() - began) / 1_000_000_000, DurationText.of(whole)));
        try {
            Thread.sleep(whole.toMillis());
        } finally {
            progress.close();
        }
    }

    private int runCommand(HostRecorder recorder, Platform platform) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(platform.environment());
        recorder.mark("command started");
        try {
            Process process = builder.start();
            child = process;
            int status = process.waitFor();
            recorder.mark("command ended");
            return status;
        } catch (IOException refused) {
            throw new CommandException("'%s' cannot be started: %s. Nothing was recorded."
                    .formatted(command.get(0), refused.getMessage()));
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook itself is running now.
        }
    }

    private synchronized void end(HostRecorder recorder, Platform platform) {
        if (!ended) {
            ended = true;
            recorder.stop();
            write(recorder.archive(), platform);
        }
    }

    private void endAtExit(HostRecorder recorder, Platform platform) {
        Process running = child;
        if (running != null) {
            running.destroy();
        }
        try {
            end(recorder, platform);
        } catch (CommandException refused) {
            line().getErr().println(refused.getMessage());
        }
    }

    private void write(HostArchive archive, Platform platform) {
        if (file == null) {
            print(archive.text());
        } else {
            try {
                archive.writeTo(file);
            } catch (IOException refused) {
                throw new CommandException("The recording cannot be written to %s, which is unchanged: %s"
                        .formatted(file, FileProblem.of(refused)));
            }
            print(summary(archive, platform) + "\n");
        }
    }

    private String summary(HostArchive archive, Platform platform) {
        StringBuilder text = new StringBuilder("%s files of %s in %s"
                .formatted(archive.files(), platform.host().tree().name(), file));
        if (!archive.unreadable().isEmpty()) {
            text.append(archive.unreadable().entrySet().stream()
                    .map(reason -> "%s %s".formatted(reason.getValue(), reason.getKey()))
                    .collect(Collectors.joining(", ", ", unreadable: ", "")));
        }
        HostArchive.Coverage coverage = archive.coverage();
        if (coverage.watched() > 0) {
            text.append(String.format(
                    Locale.ROOT,
                    "; %d changes in %.1f s",
                    coverage.changes(),
                    coverage.lasted().toMillis() / 1e3));
        }
        @Nullable String shortfall = coverage.shortfall();
        return shortfall == null ? text.toString() : text + "; " + shortfall;
    }
}
