package dev.neurontest.internal.print.child;

import dev.neurontest.internal.text.ListText;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The files of consumers below {@code NEURON_RT_DEBUG_OUTPUT_DIR}: {@code <prefix>/core_<core>/<iteration>/}. The prefix may contain
 * slashes. Links are not followed.
 *
 * @param prints prints in the order in which they were written
 * @param strays all other files
 * @param isWhole false when there are more files or deeper folders than the limits
 */
record PrintFolder(List<Entry> prints, List<Path> strays, boolean isWhole) {

    private static final int DEPTH = 40;
    private static final int FILES = 200_000;
    private static final int SHOWN = 8;
    private static final String OF_CORE = "core_";

    /** Numbers without leading zeros. Otherwise the same number could occur twice. */
    private static final Pattern CORE = Pattern.compile("core_(0|[1-9]\\d{0,8})");

    private static final Pattern ITERATION = Pattern.compile("0|[1-9]\\d{0,17}");

    /**
     * The files of one print.
     *
     * @param folder folder of one iteration
     * @param written time of the last change of its files
     * @param files files ordered by name
     */
    record Entry(String prefix, int core, long iteration, Path folder, Instant written, List<Path> files) {}

    static PrintFolder scan(Path root) throws IOException {
        List<Path> strays = new ArrayList<>();
        Map<Path, List<Path>> folders = new TreeMap<>();
        Map<Path, Instant> written = new TreeMap<>();
        boolean whole = walk(root, (file, attributes) -> {
            Path folder = file.getParent();
            if (isOfPrint(root.relativize(folder))) {
                folders.computeIfAbsent(folder, none -> new ArrayList<>()).add(file);
                written.merge(folder, attributes.lastModifiedTime().toInstant(), (a, b) -> a.isAfter(b) ? a : b);
            } else {
                strays.add(file);
            }
        });
        List<Entry> prints = new ArrayList<>();
        folders.forEach(
                (folder, files) -> prints.add(entry(root.relativize(folder), folder, written.get(folder), files)));
        prints.sort(Comparator.comparing(Entry::written)
                .thenComparing(Entry::iteration)
                .thenComparing(Entry::prefix)
                .thenComparing(Entry::core));
        strays.sort(Comparator.naturalOrder());
        return new PrintFolder(List.copyOf(prints), List.copyOf(strays), whole);
    }

    /** The prints of one prefix on one core. A consumer numbers them from 0 during its lifetime. */
    private record Series(String prefix, int core) {}

    /**
     * Returns the gaps in the numbers of iterations. A consumer assigns consecutive numbers, so a missing number belongs to a print that
     * was written and is gone.
     *
     * @return a sentence for each prefix and core
     */
    List<String> gaps() {
        Map<Series, TreeSet<Long>> numbers = new LinkedHashMap<>();
        prints.forEach(
                print -> numbers.computeIfAbsent(new Series(print.prefix(), print.core()), series -> new TreeSet<>())
                        .add(print.iteration()));
        List<String> gaps = new ArrayList<>();
        numbers.forEach((series, present) -> {
            long missing = present.last() + 1 - present.size();
            if (missing > 0) {
                gaps.add(
                        "The prints of \"%s\" on core %s are numbered from 0 to %s, but %s of these numbers %s missing: %s%s. Prints were lost or removed: print less at once, or set NEURON_RT_DEBUG_STREAM_BUFFER_SIZE to a larger power of two."
                                .formatted(
                                        series.prefix(),
                                        series.core(),
                                        present.last(),
                                        missing,
                                        missing == 1 ? "is" : "are",
                                        ListText.of(firstMissing(present)),
                                        missing > SHOWN ? ", ..." : ""));
            }
        });
        return gaps;
    }

    private static List<Long> firstMissing(TreeSet<Long> present) {
        List<Long> missing = new ArrayList<>();
        long expected = 0;
        for (long number : present) {
            for (; expected < number && missing.size() < SHOWN; expected++) {
                missing.add(expected);
            }
            expected = number + 1;
        }
        return missing;
    }

    private interface FoundFile {
        void file(Path file, BasicFileAttributes attributes);
    }

    private static boolean walk(Path root, FoundFile visitor) throws IOException {
        int[] remaining = {FILES};
        boolean[] tooDeep = {false};
        Files.walkFileTree(root, EnumSet.noneOf(java.nio.file.FileVisitOption.class), DEPTH, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (remaining[0]-- == 0) {
                    return FileVisitResult.TERMINATE;
                }
                tooDeep[0] |= attributes.isDirectory();
                if (attributes.isRegularFile()) {
                    visitor.file(file, attributes);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (file.equals(root)) {
                    throw failure;
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return remaining[0] >= 0 && !tooDeep[0];
    }

    private static boolean isOfPrint(Path folder) {
        int names = folder.getNameCount();
        return names >= 2
                && ITERATION.matcher(folder.getName(names - 1).toString()).matches()
                && CORE.matcher(folder.getName(names - 2).toString()).matches();
    }

    /** Returns the probable prefix of a stray file: the path above the folder of a core. */
    static Optional<String> prefixOf(Path stray) {
        for (int name = stray.getNameCount() - 2; name >= 0; name--) {
            if (stray.getName(name).toString().startsWith(OF_CORE)) {
                return Optional.of(prefix(stray, name));
            }
        }
        return Optional.empty();
    }

    /** Returns the first names of a path as a prefix of prints, which has slashes on every system. */
    private static String prefix(Path relative, int names) {
        return IntStream.range(0, names)
                .mapToObj(index -> relative.getName(index).toString())
                .collect(Collectors.joining("/"));
    }

    private static Entry entry(Path relative, Path folder, Instant written, List<Path> files) {
        int names = relative.getNameCount();
        Matcher core = CORE.matcher(relative.getName(names - 2).toString());
        if (!core.matches()) {
            throw new IllegalArgumentException(relative.toString());
        }
        files.sort(Comparator.naturalOrder());
        return new Entry(
                prefix(relative, names - 2),
                Integer.parseInt(core.group(1)),
                Long.parseLong(relative.getName(names - 1).toString()),
                folder,
                written,
                List.copyOf(files));
    }
}
