package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.CommandException;
import dev.neurontest.internal.command.run.ExitStatus;
import dev.neurontest.internal.profile.explain.Explanation;
import dev.neurontest.internal.profile.explain.InstructionEventSource;
import dev.neurontest.profile.ProfileEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that compares the durations of the instructions in two profiles. */
@Command(
        name = "explain",
        description = {
            "Explains why a profile took longer than another: which source lines, layers, opcodes, engines and DMA queues took more time, and what was spilled.",
            "Each profile is a folder of Parquet tables, a full JSON, a file *.events.json of a baseline, or a folder that contains exactly one of these."
        },
        footer = {
            "",
            "Examples:",
            "  neuron-test explain before-tables after-tables",
            "  neuron-test explain neuron-baselines/com.acme.BertTest.3f2a9c01d4e5.events.json target/neuron-test --html why.html",
            "  neuron-test explain before.json after.json --json | jq -r .headline"
        })
final class ExplainCommand extends Subcommand {

    @Parameters(index = "0", paramLabel = "BEFORE", description = "the earlier profile")
    private Path before = Path.of("");

    @Parameters(index = "1", paramLabel = "AFTER", description = "the profile to explain")
    private Path after = Path.of("");

    @Option(names = "--json", description = "for programs")
    private boolean json;

    @Option(names = "--html", paramLabel = "FILE", description = "write one self-contained page, with the layers drawn")
    private @Nullable Path html;

    @Mixin
    private DuckDbOption duckDb = new DuckDbOption();

    @Override
    public Integer call() throws IOException {
        if (html != null && Files.isDirectory(html)) {
            throw new CommandException("%s is a folder: name a file for the page.".formatted(html));
        }
        duckDb.use();
        InstructionEventSource first = InstructionEventSource.find(before);
        InstructionEventSource second = InstructionEventSource.find(after);
        ProfileEvents was = first.events();
        Explanation explanation = Explanation.of(was, second.events());
        print(json ? explanation.toJson() + "\n" : explanation.toText());
        if (html != null) {
            write(html, explanation.toHtml("%s and then %s".formatted(first.path(), second.path())));
            if (!json) {
                print("page: %s\n".formatted(html.toAbsolutePath().normalize()));
            }
        }
        return ExitStatus.PASSED;
    }

    private static void write(Path file, String page) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(
                file,
                page,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING,
                LinkOption.NOFOLLOW_LINKS);
    }
}
