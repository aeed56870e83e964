package dev.neurontest.fake.internal.command;

import dev.neurontest.fake.FakeNeuronHost;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command that prints the instance types and layouts of fake hosts. */
@Command(
        name = "list",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the list was printed", "2:an option is wrong"},
        description = "Prints the instance types and layouts.",
        mixinStandardHelpOptions = true)
final class ListCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println("instance types:");
        FakeNeuronHost.instanceTypes().forEach(type -> out.println("  " + type));
        out.println("layouts, oldest first:");
        FakeNeuronHost.layouts().forEach(layout -> out.println("  " + layout));
        out.println("invented layouts, for tests of programs that must not depend on the paths of files:");
        FakeNeuronHost.inventedLayouts().forEach(layout -> out.println("  " + layout));
        out.flush();
    }
}
