package dev.neurontest.internal.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Merges the run files of forks, modules and repeated runs, and writes reports. It decides nothing, but fails the build if there is no run
 * file.
 */
@Mojo(name = "report", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
class ReportMojo extends CommandMojo {

    /**
     * Run files, and folders with run files at any depth. The default is the folder of neuron.test.output, or neuron-test in the build
     * directory.
     */
    @Parameter
    List<File> runs = List.of();

    /** The run to report if there are several: newest, all together, or one. */
    @Parameter(property = "neuron.report.run")
    @Nullable
    String run;

    /** The page to write. */
    @Parameter(property = "neuron.report.html", defaultValue = "${project.build.directory}/neuron-report.html")
    @Nullable
    File html;

    /** The report for programs to write. */
    @Parameter(property = "neuron.report.json", defaultValue = "${project.build.directory}/neuron-report.json")
    @Nullable
    File json;

    /** The summary to write for the page of a CI job; none by default. */
    @Parameter(property = "neuron.report.markdown")
    @Nullable
    File markdown;

    /** The neuron-report.json of an earlier run, for a comparison. */
    @Parameter(property = "neuron.report.compare")
    @Nullable
    File compare;

    /** The folder with records of the last runs. */
    @Parameter(property = "neuron.report.history")
    @Nullable
    File history;

    /** The URL of an OpenTelemetry collector that receives the numbers of the run. */
    @Parameter(property = "neuron.report.otlp")
    @Nullable
    String otlp;

    /** Skips this goal, also the gate. */
    @Parameter(property = "neuron.report.skip")
    boolean skip;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().warn("No report and no gate, because neuron.report.skip is set.");
            return;
        }
        // The default folder of the reports. A module without classes has none, and the command creates no folder.
        buildDirectory.mkdirs();
        super.execute();
    }

    @Override
    List<String> words() {
        List<String> words = new ArrayList<>(List.of("report"));
        add(words, "--run", run);
        add(words, "--html", html);
        add(words, "--json", json);
        add(words, "--markdown", markdown);
        add(words, "--compare", compare);
        add(words, "--history", history);
        add(words, "--otlp", otlp);
        if (runs.isEmpty()) {
            words.add(outputOfTests().toString());
        }
        runs.forEach(file -> words.add(file.toString()));
        return words;
    }

    @Override
    String whereWritten() {
        return html == null ? "" : " The report is %s.".formatted(html);
    }
}
