package dev.neurontest.internal.lease.store;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finder of processes that have a removed file open. Processes of other users or containers are not visible. */
final class RemovedFile {

    private static final String REMOVED = " (deleted)";

    private RemovedFile() {}

    /** Returns the processes that have a removed file of the given name open. */
    static List<String> users(Path file, Path proc) {
        List<String> users = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                if (hasOpen(process.resolve("fd"), file + REMOVED)) {
                    users.add(String.valueOf(process.getFileName()));
                }
            }
        } catch (IOException | DirectoryIteratorException unseen) {
            // The processes found so far are returned.
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
