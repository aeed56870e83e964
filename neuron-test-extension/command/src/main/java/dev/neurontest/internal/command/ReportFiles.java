package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.CommandException;
import dev.neurontest.internal.report.page.ReportPage;
import dev.neurontest.internal.report.show.ReportJson;
import dev.neurontest.internal.report.show.ReportMarkdown;
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
     * Checks at the start, before long work, that no file name is that of a folder. Otherwise the report would replace an empty folder when
     * it is renamed to its final name.
     *
     * @throws CommandException when one is a folder
     */
    ReportFiles checked() {
        all().filter(Files::isDirectory).findFirst().ifPresent(folder -> {
            throw new CommandException("%s is a folder: name a file for the report.".formatted(folder));
        });
        return this;
    }

    private Stream<Path> all() {
        return Stream.of(html, json, markdown).flatMap(Optional::stream);
    }

    /** Writes all of the files, and prints their paths. */
    void write(JudgedRun run, PrintWriter out) throws IOException {
        List<Path> files = all().toList();
        for (Path file : files) {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
        }
        if (html.isPresent()) {
            ReportPage.write(run.report(), run.gates(), run.changes(), html.get());
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
        files.forEach(file -> out.println(
                "report: " + file.toAbsolutePath().normalize().toString().replaceAll("\\p{Cc}", " ")));
        out.flush();
    }
}
