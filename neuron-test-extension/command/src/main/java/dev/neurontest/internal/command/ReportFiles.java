package dev.neurontest.internal.command;

import dev.neurontest.internal.report.page.ReportPage;
import dev.neurontest.internal.report.show.ReportJson;
import dev.neurontest.internal.report.show.ReportMarkdown;
import dev.neurontest.internal.text.PathText;
import dev.neurontest.internal.text.VisibleText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files that receive a report.
 *
 * @param html one page
 * @param json for programs
 * @param markdown for the page of a CI job
 */
record ReportFiles(Optional<Path> html, Optional<Path> json, Optional<Path> markdown) {

    /** Returns all of the files in one folder, with their usual names. */
    static ReportFiles in(Path folder) {
        return new ReportFiles(
                Optional.of(folder.resolve("neuron-report.html")),
                Optional.of(folder.resolve("neuron-report.json")),
                Optional.of(folder.resolve("neuron-report.md")));
    }

    /**
     * Adds the files to those that the command writes. Called at the start, before long work.
     *
     * @param options the options that name the files, in the order of this record
     */
    void addTo(OutputFiles files, List<String> options) {
        files.output(options.get(0), html.orElse(null));
        files.report(options.get(1), json.orElse(null));
        // A CI server may already have created a pipe.
        files.stream(options.get(2), markdown.orElse(null));
    }

    private Stream<Path> all() {
        return Stream.of(html, json, markdown).flatMap(Optional::stream);
    }

    /** Writes all of the files, and prints their paths. */
    void write(JudgedRun run, PrintWriter out) throws IOException {
        List<Path> files = all().toList();
        if (html.isPresent()) {
            ReportPage.write(run.report(), run.gates(), run.changes(), run.history(), html.get());
        }
        if (json.isPresent()) {
            ReportJson.write(run.report(), run.gates(), run.changes(), json.get());
        }
        if (markdown.isPresent()) {
            // Not renamed into place, because a CI server may already have created the file or a pipe.
            Files.writeString(
                    markdown.get(),
                    ReportMarkdown.of(run.report(), run.gates(), run.changes()),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    LinkOption.NOFOLLOW_LINKS);
        }
        files.forEach(file -> out.println("report: " + VisibleText.line(PathText.of(file))));
        out.flush();
    }
}
