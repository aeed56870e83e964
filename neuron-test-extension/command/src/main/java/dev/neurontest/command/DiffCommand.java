package dev.neurontest.command;

import dev.neurontest.command.run.CommandException;
import dev.neurontest.command.run.ExitStatus;
import dev.neurontest.counter.SavedSnapshot;
import dev.neurontest.file.InputFile;
import dev.neurontest.file.UnfitFileException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two files that {@code snapshot} wrote. */
@Command(
        name = "diff",
        description = "Says what the counters of a host did between two snapshots.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  neuron-test diff before.json after.json"})
final class DiffCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "BEFORE", description = "a file that 'neuron-test snapshot' wrote")
    private Path before = Path.of("");

    @Parameters(index = "1", paramLabel = "AFTER", description = "a later one of the same host")
    private Path after = Path.of("");

    /** Picocli makes it. */
    DiffCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = Specs.required(spec).commandLine().getOut();
        out.print(read(before).compare(read(after)));
        out.flush();
        return ExitStatus.PASSED;
    }

    private static SavedSnapshot read(Path file) throws IOException {
        try {
            return SavedSnapshot.parse(InputFile.SNAPSHOT.text(file));
        } catch (NoSuchFileException none) {
            throw new CommandException(
                    "There is no file %s. 'neuron-test snapshot -o %s' writes it.".formatted(file, file), none);
        } catch (IllegalArgumentException | MalformedInputException wrong) {
            throw new CommandException(
                    "%s is no snapshot of counters: %s. 'neuron-test snapshot -o FILE' writes one."
                            .formatted(file, wrong.getMessage()),
                    wrong);
        } catch (UnfitFileException unfit) {
            throw new CommandException(
                    "%s %s. Name two files that 'neuron-test snapshot -o FILE' wrote."
                            .formatted(file, unfit.getReason()),
                    unfit);
        } catch (IOException unreadable) {
            throw new CommandException(
                    "%s cannot be read: %s. Name two files that 'neuron-test snapshot -o FILE' wrote."
                            .formatted(file, Specs.reason(unreadable)),
                    unreadable);
        }
    }
}
