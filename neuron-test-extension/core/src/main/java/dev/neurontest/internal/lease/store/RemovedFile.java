package dev.neurontest.internal.lease.store;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file that was removed and that processes still have open, as far as they can be seen: not those of other users or containers. */
final class RemovedFile {

    private static final String REMOVED = " (deleted)";

    private RemovedFile() {}

    /** Returns the processes that have a file of that name open which is gone. */
    static List<String> users(Path file, Path proc) {
        List<String> users = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                if (hasOpen(process.resolve("fd"), file + REMOVED)) {
                    users.add(String.valueOf(process.getFileName()));
                }
            }
        } catch (IOException | DirectoryIteratorException unseen) {
            // Those that were seen count.
        }
        return users;
    }

    private static boolean hasOpen(Path descriptors, String target) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(descriptors)) {
            for (Path link : open) {
                if (target.equals(target(link))) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException ofAnotherUser) {
            return false;
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
