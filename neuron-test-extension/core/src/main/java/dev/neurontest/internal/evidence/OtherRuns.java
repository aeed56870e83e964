package dev.neurontest.internal.evidence;

import dev.neurontest.internal.process.Redaction;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The run files of other JVMs in the same folder. Unreadable files are ignored. */
record OtherRuns(Path ownFile) {

    Optional<RunEvent.PhaseStarted> inFlight(long pid, String holder) {
        try {
            Optional<Path> file = newest("run-" + pid + "-*.jsonl");
            return file.isPresent() ? inFlight(file.get(), holder) : Optional.empty();
        } catch (IOException | DirectoryIteratorException unreadable) {
            return Optional.empty();
        }
    }

    /**
     * Finds the newest matching file except that of this JVM. An earlier process might have had the same id, which is common in
     * containers. Even this process might have it, if several containers share the table.
     */
    private Optional<Path> newest(String pattern) throws IOException {
        Path newest = null;
        FileTime written = null;
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(ownFile.toAbsolutePath().getParent(), pattern)) {
            for (Path file : files) {
                FileTime last = Files.getLastModifiedTime(file);
                if (Files.isRegularFile(file)
                        && !file.getFileName().equals(ownFile.getFileName())
                        && (written == null || last.compareTo(written) > 0)) {
                    newest = file;
                    written = last;
                }
            }
        }
        return Optional.ofNullable(newest);
    }

    private static Optional<RunEvent.PhaseStarted> inFlight(Path file, String holder) throws IOException {
        Map<TestId, RunEvent.PhaseStarted> running = new LinkedHashMap<>();
        RunLog.read(file, (number, line) -> {
            if (line.event() instanceof RunEvent.PhaseStarted started) {
                running.remove(started.test());
                running.put(started.test(), started);
            } else if (line.event() instanceof RunEvent.TestFinished finished) {
                running.remove(finished.test());
            }
        });
        return running.values().stream()
                .filter(started -> started.test().isOf(Redaction.mask(holder)))
                .reduce((earlier, later) -> later);
    }
}
