package dev.neurontest.internal.report.merge;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finder of run files. Links in folders are not followed, because a user with write access could otherwise make any file readable. */
final class RunFiles {

    private static final Pattern RUN = Pattern.compile("run-\\d+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final String JSONL = ".jsonl";

    /** The beginning of each line of a run file. */
    private static final String FIRST_MEMBER = "{\"seq\":";

    /**
     * Pattern of names that resemble a run file. It includes files that were compressed, renamed, or copied through a file system without
     * lower case.
     */
    private static final Pattern LIKE_A_RUN_FILE = Pattern.compile("run-.*\\.jsonl(\\..*)?", Pattern.CASE_INSENSITIVE);

    /** Found files by name. A copy of a run file keeps its name, which is unique; of several copies, the longest is the most complete. */
    private final Map<String, Path> found = new TreeMap<>();

    private final List<String> problems;
    private long taken;

    private RunFiles(List<String> problems) {
        this.problems = problems;
    }

    static Collection<Path> in(Collection<Path> filesOrFolders, List<String> problems) {
        RunFiles files = new RunFiles(problems);
        filesOrFolders.forEach(files::add);
        return files.found.values();
    }

    private void add(Path path) {
        if (Files.isDirectory(path)) {
            long before = taken;
            walk(path);
            if (taken == before) {
                problems.add(
                        "%s contains no run file (run-<pid>-<uuid>.jsonl): no test used Neuron, or the run files are elsewhere"
                                .formatted(path));
            }
        } else if (Files.isRegularFile(path)) {
            take(path);
        } else {
            problems.add("%s %s. Nothing was read from there."
                    .formatted(path, Files.exists(path) ? "is neither a run file nor a folder" : "does not exist"));
        }
    }

    private void walk(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
                    if (isRunFile(each)) {
                        problems.add("%s is a folder, not a run file.".formatted(each));
                    }
                    // Attachments of tests next to their run file are skipped, because they may be large.
                    return !each.equals(folder) && RUN.matcher(name(each)).matches()
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile() && isRunFile(each)) {
                        take(each);
                    } else if (LIKE_A_RUN_FILE.matcher(name(each)).matches()) {
                        refuse(each, attributes);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path each, IOException failed) {
                    problems.add("%s cannot be read: %s. Run files there are in no report.".formatted(each, failed));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException failed) {
            problems.add("%s cannot be read: %s. Run files there are in no report.".formatted(folder, failed));
        }
    }

    private void take(Path file) {
        taken++;
        String key =
                isRunFile(file) ? name(file) : file.toAbsolutePath().normalize().toString();
        found.merge(key, file, (one, other) -> size(other) > size(one) ? other : one);
    }

    /** Reports a file that may be a run file, because its tests would otherwise be missing without notice. */
    private void refuse(Path file, BasicFileAttributes attributes) {
        taken++;
        problems.add("%s was not read: %s. Its tests are in no report. If it is a run file, %s."
                .formatted(
                        file,
                        attributes.isRegularFile()
                                ? "its name is not run-<pid>-<uuid>.jsonl"
                                : "it is not a regular file, and links are not followed",
                        attributes.isRegularFile()
                                ? "unpack it, or restore its original name"
                                : "replace it with a copy"));
    }

    private static boolean isRunFile(Path file) {
        String name = name(file);
        return name.endsWith(JSONL)
                && RUN.matcher(name.substring(0, name.length() - JSONL.length()))
                        .matches();
    }

    /** Checks whether a path is a run file by its name or its first line, or is in the folder that a run file has for attachments. */
    static boolean isOfRun(Path path) {
        return LIKE_A_RUN_FILE.matcher(name(path)).matches()
                || beginsAsRunFile(path)
                || Stream.iterate(path.toAbsolutePath().normalize(), Objects::nonNull, Path::getParent)
                        .skip(1)
                        .anyMatch(each -> RUN.matcher(name(each)).matches());
    }

    private static boolean beginsAsRunFile(Path path) {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(path)) {
            return new String(in.readNBytes(FIRST_MEMBER.length()), StandardCharsets.US_ASCII).equals(FIRST_MEMBER);
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException gone) {
            return -1;
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }
}
