package dev.neurontest.evidence;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The run files of other JVMs in a folder. What cannot be read of them is not known. */
record OtherRuns(Path folder) {

    static OtherRuns beside(Path runFile) {
        return new OtherRuns(runFile.toAbsolutePath().getParent());
    }

    Optional<Phase> lastPhaseOf(long pid, String test) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "run-" + pid + "-*.jsonl")) {
            for (Path file : files) {
                Optional<Phase> last = RunLog.read(file).lines().stream()
                        .flatMap(line -> phaseOf(line.event(), test))
                        .reduce((earlier, later) -> later);
                if (last.isPresent()) {
                    return last;
                }
            }
            return Optional.empty();
        } catch (IOException | DirectoryIteratorException unreadable) {
            return Optional.empty();
        }
    }

    private static Stream<Phase> phaseOf(RunEvent event, String test) {
        return event instanceof RunEvent.PhaseStarted started
                        && started.test().name().equals(test)
                ? Stream.of(started.phase())
                : Stream.empty();
    }
}
