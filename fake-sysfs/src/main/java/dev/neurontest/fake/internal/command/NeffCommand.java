package dev.neurontest.fake.internal.command;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.internal.runtime.Element;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that writes a model for the fake tools. */
@Command(
        name = "neff",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the file was written", "2:an option is wrong, or the file cannot be written"},
        description = "Writes a file that the stand-in profilers accept as a compiled model.",
        mixinStandardHelpOptions = true)
final class NeffCommand implements Callable<Integer> {

    private static final Pattern TENSOR = Pattern.compile("(.+):([0-9]{1,15})");

    /**
     * Pattern of a tensor with an element type. The type begins with a letter; this distinguishes it from a number at the end of a name.
     */
    private static final Pattern TYPED_TENSOR =
            Pattern.compile("(.+):([a-z][a-z0-9_]*):(-|[0-9]{1,15}(?:x[0-9]{1,15})*)");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--name",
            description = "name of the model, which selects scripts; by default the name of the file without .neff")
    private @Nullable String name;

    @Option(names = "--uuid", description = "a new one by default")
    private @Nullable UUID uuid;

    @Option(names = "--lnc", description = "physical cores of a logical core, 1 or 2", defaultValue = "1")
    private int logicalCoreSize;

    @Option(names = "--profile", description = "model (default), vector or transpose")
    private @Nullable String profile;

    @Option(names = "--time", paramLabel = "MICROSECONDS", description = "duration of an execution")
    private @Nullable Long time;

    @Option(names = "--input", paramLabel = "NAME:BYTES|NAME:DTYPE:SHAPE", description = "such as x:float32:4x4")
    private List<String> inputs = List.of();

    @Option(names = "--output", paramLabel = "NAME:BYTES|NAME:DTYPE:SHAPE")
    private List<String> outputs = List.of();

    @Option(names = "--workers", description = "number of workers that its collectives need", defaultValue = "1")
    private int workers;

    @Parameters(paramLabel = "FILE", description = "file to write; an existing file is replaced")
    private Path file = Path.of("");

    @Override
    public Integer call() throws IOException {
        try {
            FakeNeff.Builder neff = FakeNeff.builder().lnc(logicalCoreSize).workers(workers);
            if (name != null) {
                neff.name(name);
            }
            if (uuid != null) {
                neff.uuid(uuid);
            }
            if (profile != null) {
                neff.profile(profile);
            }
            if (time != null) {
                neff.time(Duration.of(time, ChronoUnit.MICROS));
            }
            tensors(inputs, neff::input, neff::input);
            tensors(outputs, neff::output, neff::output);
            neff.write(file);
        } catch (IllegalArgumentException refused) {
            throw new ParameterException(spec.commandLine(), String.valueOf(refused.getMessage()));
        } catch (NoSuchFileException absent) {
            throw new ParameterException(spec.commandLine(), "cannot write " + file + ": its folder does not exist");
        } catch (FileSystemException refused) {
            throw new ParameterException(spec.commandLine(), "cannot write " + file + ": " + refused.getReason());
        }
        return 0;
    }

    private interface TypedTensors {
        void add(String name, String dtype, long... shape);
    }

    private static void tensors(List<String> texts, BiConsumer<String, Long> tensors, TypedTensors typedTensors) {
        for (String text : texts) {
            Matcher typed = TYPED_TENSOR.matcher(text);
            Matcher plain = TENSOR.matcher(text);
            if (typed.matches()) {
                typedTensors.add(typed.group(1), typed.group(2), Element.shape(typed.group(3)));
            } else if (plain.matches()) {
                tensors.accept(plain.group(1), Long.parseLong(plain.group(2)));
            } else {
                throw new IllegalArgumentException(text + " is neither NAME:BYTES nor NAME:DTYPE:SHAPE");
            }
        }
    }
}
