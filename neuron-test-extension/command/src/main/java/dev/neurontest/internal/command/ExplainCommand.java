package dev.neurontest.internal.command;

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
        exitCodeList = {"0:the profiles were compared", "2:a profile cannot be read, or the page cannot be written"},
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
        OutputFiles files = new OutputFiles()
                .output("--html", html)
                .input("--duckdb", duckDb.named().orElse(null));
        duckDb.use();
        InstructionEventSource first = InstructionEventSource.find(before);
        InstructionEventSource second = InstructionEventSource.find(after);
        files.input("BEFORE", first.path()).input("AFTER", second.path());
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
        Files.writeString(
                file,
                page,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING,
                LinkOption.NOFOLLOW_LINKS);
    }
}
