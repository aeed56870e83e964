package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.CommandException;
import dev.neurontest.internal.command.run.ExitStatus;
import dev.neurontest.internal.counter.SavedSnapshot;
import dev.neurontest.internal.file.FileProblem;
import dev.neurontest.internal.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that writes the counters of a host to a file. */
@Command(
        name = "snapshot",
        exitCodeList = {"0:the counters were read", "2:there is no such host, or the file cannot be written"},
        description = "Reads all counters of all cores and devices of a host once, as JSON. Clears nothing.",
        footer = {
            "",
            "Examples:",
            "  neuron-test snapshot -o before.json",
            "  neuron-test snapshot | jq '.counters[\"neuron0/neuron_core0\"]'",
            "  neuron-test diff before.json after.json"
        })
final class SnapshotCommand extends Subcommand {

    @Mixin
    private HostOption host = new HostOption();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "the file to write, replaced if it exists; the default is standard output")
    private @Nullable Path file;

    @Override
    public Integer call() {
        SavedSnapshot snapshot;
        host.files().output("-o", file);
        try (Platform platform = Platform.open(host.settings())) {
            snapshot = SavedSnapshot.of(platform.host(), Instant.now());
        }
        if (file == null) {
            print(snapshot.toJson());
        } else {
            try {
                Files.writeString(file, snapshot.toJson());
            } catch (IOException refused) {
                throw new CommandException(
                        "The snapshot cannot be written to %s: %s".formatted(file, FileProblem.of(refused)), refused);
            }
            print("%s counters of %s in %s%s\n"
                    .formatted(
                            snapshot.values().size(),
                            snapshot.host(),
                            file,
                            snapshot.unreadable().isEmpty()
                                    ? ""
                                    : ", %s could not be read"
                                            .formatted(snapshot.unreadable().size())));
        }
        return ExitStatus.PASSED;
    }
}
