package dev.neurontest.internal.maven;

import dev.neurontest.internal.command.NeuronTestCommand;
import dev.neurontest.internal.command.run.ExitStatus;
import dev.neurontest.internal.configuration.ConfiguredValue;
import dev.neurontest.internal.configuration.Origin;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** A goal that runs a command of {@code neuron-test} in the JVM of Maven, with absolute paths. */
abstract class CommandMojo extends AbstractMojo {

    @Parameter(defaultValue = "${project.basedir}", readonly = true, required = true)
    File basedir = new File("");

    @Parameter(defaultValue = "${project.build.directory}", readonly = true, required = true)
    File buildDirectory = new File("");

    @Parameter(defaultValue = "${settings.interactiveMode}", readonly = true)
    boolean interactive;

    /** Colors: auto, always or never. As in the log of Maven, auto means on a terminal, except with --batch-mode. */
    @Parameter(property = "style.color", defaultValue = "auto")
    String color = "auto";

    /** Returns the words of the command line, except those about the terminal. */
    abstract List<String> words();

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        String[] arguments = arguments();
        int status = NeuronTestCommand.run(arguments);
        if (status == ExitStatus.PASSED) {
            return;
        }
        String problem = "neuron-test ended with exit status %s: %s. Its output is above."
                .formatted(status, NeuronTestCommand.meaning(status, arguments));
        if (status == ExitStatus.FAILED) {
            throw new MojoFailureException(problem + whereWritten());
        }
        throw new MojoExecutionException(problem);
    }

    /** Returns the words of the command line, with colors only where the log of Maven has some. */
    final String[] arguments() {
        List<String> words = new ArrayList<>(words());
        words.add("--color=" + (color.equals("auto") && !interactive ? "never" : color));
        return words.toArray(String[]::new);
    }

    /** Returns a sentence that names the report of a command that decided. */
    String whereWritten() {
        return "";
    }

    /** Returns the settings of the JVM of Maven. */
    static Settings settings() {
        return Settings.of(Map.of(), Map.of());
    }

    /** Returns a path in the folder of the module, in which its tests resolve paths too. */
    final Path inProject(Path path) {
        return basedir.toPath().resolve(path);
    }

    /** Returns the folder of the run files of the module. */
    final Path outputOfTests() {
        ConfiguredValue<Path> output = settings().get(Setting.OUTPUT);
        return output.origin() == Origin.DEFAULT
                ? buildDirectory.toPath().resolve("neuron-test")
                : inProject(output.value());
    }

    /** Adds an option if it has a value. */
    static void add(List<String> words, String option, @Nullable Object value) {
        if (value != null) {
            words.add(option + "=" + value);
        }
    }
}
