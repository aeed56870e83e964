package dev.neurontest.fake.command;

import dev.neurontest.fake.archive.HostRecorder;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Records a host into a file from which 'serve --from' makes one. */
@Command(
        name = "record",
        description = {
            "Records the files of a Neuron host into one text file, which can be read, compared, edited, and given to"
                    + " 'serve --from'.",
            "No link is followed, nothing is written but FILE, and no file is waited for longer than a second."
        },
        mixinStandardHelpOptions = true)
final class RecordCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "the root of the host; / by default, which is this machine")
    private Path root = Path.of("/");

    @Option(
            names = "--redact-serial-numbers",
            description = "write zeros instead of serial numbers, and leave out the name of the machine")
    private boolean redacting;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "also record what changes, for so long, such as 30s; Ctrl-C ends it early and loses nothing")
    private @Nullable Duration duration;

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "with --for: between two looks, 1s by default")
    private @Nullable Duration interval;

    @Parameters(paramLabel = "FILE", description = "is replaced when the recording is complete")
    private Path file = Path.of("");

    /** Such as {@code 100ms}, {@code 30s} or {@code 5m}. */
    static final class Durations implements ITypeConverter<Duration> {

        private static final Pattern DURATION = Pattern.compile("([1-9][0-9]{0,8})(ms|s|m)");

        @Override
        public Duration convert(String text) {
            Matcher duration = DURATION.matcher(text);
            if (!duration.matches()) {
                throw new TypeConversionException("\"" + text + "\" is no time such as 100ms, 30s or 5m");
            }
            long number = Long.parseLong(duration.group(1));
            return switch (duration.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                default -> Duration.ofMinutes(number);
            };
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        if (interval != null && duration == null) {
            throw new ParameterException(spec.commandLine(), "--every needs --for: without it there is one look");
        }
        if (!Files.isDirectory(root)) {
            throw refused("there is no such directory");
        }
        try {
            HostRecorder recorder = HostRecorder.of(root, redacting);
            if (duration == null) {
                recorder.record(file);
                return 0;
            }
            AtomicInteger status = new AtomicInteger();
            Signals.listen(signal -> {
                status.set(128 + signal);
                recorder.end();
            });
            recorder.record(file, duration, interval == null ? Duration.ofSeconds(1) : interval);
            return status.get();
        } catch (FileSystemException e) {
            throw refused(e.toString());
        } catch (IOException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException refused(String reason) {
        return new ParameterException(spec.commandLine(), "cannot record " + root + ": " + reason);
    }
}
