package dev.neurontest.profile;

import dev.neurontest.internal.process.OutputFolder;
import dev.neurontest.internal.process.ProgramFiles;
import dev.neurontest.internal.text.ListText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The programs on several hosts whose runtimes wrote the traces of a capture. */
final class InspectedPrograms {

    private static final int MOST_NAMED = 4;

    private final Map<Path, ProgramFiles> byFolder = new HashMap<>();
    private final List<ProgramFiles> all = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    /**
     * Adds the traces of programs. The name of each folder begins with its rank and host, since the runtimes of two hosts may choose the
     * same name.
     *
     * @param written the folder of the traces of all programs
     */
    synchronized void add(Path written, List<ProgramFiles> files) {
        for (ProgramFiles program : files) {
            all.add(program);
            program.missing().ifPresent(reason -> missing.add(program.program() + ": " + reason));
            program.folder().ifPresent(folder -> {
                try {
                    OutputFolder.make(written);
                    move(program, folder, written);
                } catch (IOException | UncheckedIOException unmoved) {
                    missing.add("%s: %s".formatted(program.program(), unmoved));
                }
            });
        }
    }

    private void move(ProgramFiles program, Path folder, Path written) throws IOException {
        List<Path> ofProcesses;
        try (Stream<Path> entries = Files.list(folder)) {
            ofProcesses = entries.filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        }
        String name = String.format(
                Locale.ROOT, "rank-%05d_%s_", program.rank(), program.host().replaceAll("[^A-Za-z0-9.-]+", "-"));
        for (Path ofProcess : ofProcesses) {
            Path target = written.resolve(name + ofProcess.getFileName());
            Files.move(ofProcess, target);
            byFolder.put(target, program);
        }
    }

    /** Returns the program that wrote a file; empty if the files are of this host. */
    synchronized Optional<ProgramFiles> of(Path written, Path file) {
        return Optional.ofNullable(
                byFolder.get(written.resolve(written.relativize(file).getName(0))));
    }

    /**
     * Returns why traces may be missing. A program without a trace may be the slowest.
     *
     * @param traced returns whether a program left a trace
     */
    synchronized Optional<String> missing(Predicate<ProgramFiles> traced) {
        List<String> without = all.stream()
                .filter(program -> program.missing().isEmpty() && !traced.test(program))
                .map(ProgramFiles::program)
                .distinct()
                .toList();
        List<String> reasons = new ArrayList<>();
        if (!missing.isEmpty()) {
            reasons.add("Traces are missing. " + ListText.some(missing, MOST_NAMED) + ".");
        }
        if (!without.isEmpty()) {
            reasons.add("%s left no trace: its runtime executed nothing, or was killed."
                    .formatted(ListText.some(without, MOST_NAMED)));
        }
        return reasons.isEmpty()
                ? Optional.empty()
                : Optional.of(String.join(" ", reasons) + " The missing part may be the slowest.");
    }
}
