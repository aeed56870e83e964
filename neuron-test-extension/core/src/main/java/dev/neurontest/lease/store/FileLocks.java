package dev.neurontest.lease.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which processes have files locked, as far as the kernel shows it: processes of other containers are not seen, nor what those of
 * other users have open.
 */
final class FileLocks {

    /** Such as {@code 1: POSIX  ADVISORY  WRITE 1234 08:01:131090 0 EOF}; those with an arrow only wait. */
    private static final Pattern LINE =
            Pattern.compile("\\d+: POSIX +\\w+ +\\w+ +(\\d{1,18}) \\p{XDigit}+:\\p{XDigit}+:(\\d{1,18}) (\\d{1,18}) .*");

    private static final String REMOVED = " (deleted)";

    private final Path proc;

    FileLocks(Path proc) {
        this.proc = proc;
    }

    /**
     * A lock that a process has.
     *
     * @param inode of the file; files of several file systems can have the same
     */
    private record Held(long pid, long inode, long position) {}

    /** Returns the processes that have a byte of a file locked; none where that cannot be seen. */
    List<Long> owners(Path file, long position) {
        try {
            Object inode = Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
            return held().filter(each -> inode.equals(each.inode()) && each.position() == position)
                    .map(Held::pid)
                    .distinct()
                    .toList();
        } catch (IOException removed) {
            return List.of();
        }
    }

    /** Returns the processes that have locks in a file that was removed since. */
    List<Long> ownersOfRemoved(Path file) {
        return held().filter(each -> hasOpen(each, file)).map(Held::pid).distinct().toList();
    }

    private boolean hasOpen(Held lock, Path file) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(
                proc.resolve(Long.toString(lock.pid())).resolve("fd"))) {
            for (Path link : open) {
                if (target(link).equals(file + REMOVED)
                        && Long.valueOf(lock.inode()).equals(Files.getAttribute(link, "unix:ino"))) {
                    return true;
                }
            }
            return false;
        } catch (IOException ofAnotherUser) {
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

    private Stream<Held> held() {
        try {
            return Files.readAllLines(proc.resolve("locks"), StandardCharsets.ISO_8859_1).stream()
                    .map(LINE::matcher)
                    .filter(Matcher::matches)
                    .map(line -> new Held(Long.parseLong(line.group(1)), Long.parseLong(line.group(2)), Long.parseLong(line.group(3))));
        } catch (IOException unseen) {
            return Stream.empty();
        }
    }
}
