package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.CommandException;
import dev.neurontest.internal.command.run.ExitStatus;
import dev.neurontest.internal.counter.SavedSnapshot;
import dev.neurontest.internal.file.FileProblem;
import dev.neurontest.internal.file.InputFile;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command that compares two files of {@code snapshot}. */
@Command(
        name = "diff",
        exitCodeList = {"0:the snapshots were compared", "2:a snapshot cannot be read"},
        description = "Shows how the counters of a host changed between two snapshots.",
        footer = {"", "Example:", "  neuron-test diff before.json after.json"})
final class DiffCommand extends Subcommand {

    private static final String ADVICE = "'neuron-test snapshot -o FILE' writes one.";

    @Parameters(index = "0", paramLabel = "BEFORE", description = "a file that 'neuron-test snapshot' wrote")
    private Path before = Path.of("");

    @Parameters(index = "1", paramLabel = "AFTER", description = "a later snapshot of the same host")
    private Path after = Path.of("");

    @Override
    public Integer call() {
        print(read(before).compare(read(after)));
        return ExitStatus.PASSED;
    }

    private static SavedSnapshot read(Path file) {
        try {
            return SavedSnapshot.parse(InputFile.SNAPSHOT.text(file));
        } catch (IOException unread) {
            throw new CommandException("%s: %s. %s".formatted(file, FileProblem.of(unread), ADVICE), unread);
        } catch (IllegalArgumentException wrong) {
            throw new CommandException(
                    "%s is not a snapshot of counters: %s. %s".formatted(file, wrong.getMessage(), ADVICE), wrong);
        }
    }
}
