package dev.neurontest.profile;

import dev.neurontest.internal.text.ListText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The NTFFs of a capture. Their names contain rank and execution; the first execution has no number. Files with unexpected names are used
 * only if there are no others.
 *
 * @param traces traces by rank and then by execution
 * @param missingRanks expected ranks without a trace
 * @param missingExecutions a sentence for each rank with some missing executions
 * @param notices other observations
 */
record TraceFiles(
        List<Trace> traces, List<Integer> missingRanks, List<String> missingExecutions, List<String> notices) {

    static final String STEM = "profile";

    private static final String SUFFIX = ".ntff";
    private static final Pattern NAME = Pattern.compile(STEM + "(?:_rank_([0-9]{1,9}))?(?:_exec_([0-9]{1,9}))?\\.ntff");
    private static final Comparator<Trace> ORDER =
            Comparator.<Trace>comparingInt(trace -> trace.rank().orElse(-1)).thenComparingInt(Trace::index);

    /** An NTFF of a worker, which has a host if the programs of a test ran on several. */
    record Trace(Path file, OptionalInt rank, Optional<String> host, int index, long size) {

        Trace(Path file, OptionalInt rank, int index, long size) {
            this(file, rank, Optional.empty(), index, size);
        }
    }

    /**
     * Finds the traces of a capture.
     *
     * @param folder the folder of one capture, which was empty before
     * @param measured numbers of the measured executions
     * @param ranks ranks that write traces to this folder; empty when the tool decides
     * @throws IOException when the folder cannot be read
     */
    static TraceFiles find(Path folder, List<Integer> measured, List<Integer> ranks) throws IOException {
        List<String> notices = new ArrayList<>();
        List<Trace> all = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path file : entries.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.startsWith(STEM) && name.endsWith(SUFFIX)) {
                    add(file, all, notices);
                }
            }
        }
        Set<Integer> allRanks = new TreeSet<>(ranks);
        all.forEach(trace -> trace.rank().ifPresent(allRanks::add));
        List<Trace> traces = new ArrayList<>();
        List<Integer> missing = new ArrayList<>();
        List<String> missingExecutions = new ArrayList<>();
        if (allRanks.isEmpty()) {
            List<Trace> ofAll = picked(all, measured, notices);
            missing(ofAll, measured, "").ifPresent(missingExecutions::add);
            traces.addAll(ofAll);
        }
        for (int rank : allRanks) {
            List<Trace> ofRank = picked(
                    all.stream()
                            .filter(trace -> trace.rank().equals(OptionalInt.of(rank)))
                            .toList(),
                    measured,
                    notices);
            if (ofRank.isEmpty()) {
                missing.add(rank);
            }
            missing(ofRank, measured, " of rank " + rank).ifPresent(missingExecutions::add);
            traces.addAll(ofRank);
        }
        return new TraceFiles(
                traces.stream().sorted(ORDER).toList(),
                List.copyOf(missing),
                List.copyOf(missingExecutions),
                List.copyOf(notices));
    }

    private static void add(Path file, List<Trace> all, List<String> notices) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
            notices.add("%s is ignored: it is %s."
                    .formatted(
                            file,
                            attributes.isSymbolicLink()
                                    ? "a symbolic link, which is not followed"
                                    : "not a regular file"));
            return;
        }
        Matcher name = NAME.matcher(file.getFileName().toString());
        boolean expected = name.matches();
        OptionalInt rank = expected && name.group(1) != null
                ? OptionalInt.of(Integer.parseInt(name.group(1)))
                : OptionalInt.empty();
        int index = expected && name.group(2) != null ? Integer.parseInt(name.group(2)) : 1;
        all.add(new Trace(file, rank, index, attributes.size()));
    }

    private static FileTime changed(Trace trace) {
        try {
            return Files.getLastModifiedTime(trace.file(), LinkOption.NOFOLLOW_LINKS);
        } catch (IOException disappeared) {
            return FileTime.fromMillis(0);
        }
    }

    private static List<Trace> picked(List<Trace> all, List<Integer> measured, List<String> notices) {
        List<Trace> expected = all.stream()
                .filter(trace ->
                        NAME.matcher(trace.file().getFileName().toString()).matches())
                .filter(trace -> measured.contains(trace.index()))
                .toList();
        if (expected.isEmpty()) {
            List<Trace> newest = all.stream()
                    .max(Comparator.comparing(TraceFiles::changed)
                            .thenComparing(trace -> trace.file().toString()))
                    .stream()
                    .toList();
            newest.forEach(trace -> notices.add("%s was used, because execution %s left no NTFF with the expected name."
                    .formatted(trace.file(), joined(measured))));
            return newest;
        }
        return expected;
    }

    /** Returns a sentence about missing executions. If only one trace is required, a trace with another name may replace it. */
    private static Optional<String> missing(List<Trace> picked, List<Integer> measured, String ofRank) {
        List<Integer> absent = measured.stream()
                .filter(index -> picked.stream().noneMatch(trace -> trace.index() == index))
                .toList();
        return absent.isEmpty() || picked.isEmpty() || measured.size() == 1
                ? Optional.empty()
                : Optional.of("Execution %s%s left no NTFF in %s."
                        .formatted(joined(absent), ofRank, picked.get(0).file().getParent()));
    }

    private static String joined(List<Integer> numbers) {
        return ListText.of(numbers);
    }
}
