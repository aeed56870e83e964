package dev.neurontest.internal.participant;

import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.judgement.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opentest4j.AssertionFailedError;

/**
 * A participant that is not part of the extension: it reports files of a folder that a test leaves open in this JVM.
 */
final class OpenFiles implements Participant {

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private final TestJournal lines;
    private final Path folder;
    private Set<String> before = Set.of();
    private Left left = new Left(List.of());

    /** The measurement of the participant. */
    record Left(List<String> files) implements Measurement {

        @Override
        public String kind() {
            return "files";
        }

        @Override
        public String toText() {
            return files.stream().map(file -> file + "\n").collect(Collectors.joining());
        }

        @Override
        public String toJson() {
            return Json.text(json -> {
                json.writeStartObject();
                json.writeNumberProperty("version", 1);
                json.writeArrayPropertyStart("files");
                files.forEach(json::writeString);
                json.writeEndArray();
                json.writeEndObject();
            });
        }
    }

    OpenFiles(TestJournal lines, Path folder) {
        this.lines = lines;
        this.folder = folder;
    }

    @Override
    public void start() {
        before = open();
    }

    @Override
    public void conclude(TestResult findings) {
        Set<String> more = open();
        more.removeAll(before);
        left = new Left(List.copyOf(more));
        lines.append(left);
    }

    @Override
    public List<Verdict> judge(TestResult findings) {
        if (left.files().isEmpty()) {
            return List.of();
        }
        Violation violation = new Violation(
                "a test closes its files",
                lines.name(),
                "nothing open",
                left.toText().strip(),
                "Close them.");
        return List.of(lines.verdict(
                new Judgement(List.of(violation), List.of(), List.of()),
                UndecidedHandling.NONE,
                () -> new AssertionFailedError("%s left files open:\n%s".formatted(lines.name(), left.toText()))));
    }

    @Override
    public List<Left> evidence(TestResult findings) {
        return List.of(left);
    }

    private Set<String> open() {
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            return descriptors
                    .flatMap(OpenFiles::target)
                    .filter(file -> file.startsWith(folder))
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** Returns the target of a descriptor, or nothing if it was closed concurrently. */
    private static Stream<Path> target(Path descriptor) {
        try {
            return Stream.of(Files.readSymbolicLink(descriptor));
        } catch (IOException closed) {
            return Stream.empty();
        }
    }
}
