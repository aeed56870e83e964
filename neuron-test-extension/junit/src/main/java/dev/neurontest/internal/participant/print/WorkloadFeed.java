package dev.neurontest.internal.participant.print;

import dev.neurontest.internal.print.DelegatedFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.print.child.ChildPrints;
import dev.neurontest.internal.print.child.PrintedText;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.workload.WorkloadResult;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The prints of the workloads of one test. Prints in standard output count only if none arrived through the debug stream. Frameworks write
 * both, and a simulation writes only standard output.
 */
final class WorkloadFeed implements DelegatedFeed, AutoCloseable {

    private static final int STANDARD_OUTPUT = 0;

    private final ChildPrints child;
    private final Supplier<List<WorkloadResult>> ended;
    private final Set<String> prefixes;
    private final List<PrintFeed> texts = new ArrayList<>();

    /**
     * Creates a feed.
     *
     * @param ended returns the workloads that have ended so far, in the order of their starts
     * @param prefixes the expected prefixes; they identify prints in output that contains only prefix and values
     */
    WorkloadFeed(ChildPrints child, Supplier<List<WorkloadResult>> ended, Set<String> prefixes) {
        this.child = child;
        this.ended = ended;
        this.prefixes = prefixes;
    }

    @Override
    public synchronized void settle() {
        child.settle();
        List<WorkloadResult> all = ended.get();
        for (WorkloadResult result : all.subList(Math.min(texts.size(), all.size()), all.size())) {
            texts.add(text(result));
        }
    }

    private PrintFeed text(WorkloadResult result) {
        try (Reader output = output(result)) {
            return PrintedText.of(output, prefixes, STANDARD_OUTPUT);
        } catch (IOException lost) {
            return PrintedText.unreadable(lost);
        }
    }

    private static Reader output(WorkloadResult result) throws IOException {
        Path log = result.folder().map(folder -> folder.resolve("stdout.log")).orElse(Path.of(""));
        return Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)
                ? new InputStreamReader(Files.newInputStream(log), StandardCharsets.UTF_8)
                : new StringReader(result.stdout());
    }

    @Override
    public List<PrintDoubt> doubts() {
        PrintFeed text = text();
        if (hasComeBetter()) {
            return Stream.concat(child.doubts().stream(), onlyInText(text)).toList();
        }
        return isEmpty(text) ? child.doubts() : doubtsBesideText(text);
    }

    @Override
    public PrintFeed source() {
        PrintFeed text = text();
        return hasComeBetter() || isEmpty(text) ? child : text;
    }

    private synchronized PrintFeed text() {
        return PrintFeed.of(texts);
    }

    private boolean hasComeBetter() {
        return !child.prints().isEmpty() || !child.oddEvents().isEmpty();
    }

    private static boolean isEmpty(PrintFeed text) {
        return text.prints().isEmpty()
                && text.oddEvents().isEmpty()
                && text.doubts().isEmpty();
    }

    /** Returns the doubts about text prints. A simulation has no debug stream, so a missing stream causes no doubt about its output. */
    private List<PrintDoubt> doubtsBesideText(PrintFeed text) {
        return Stream.concat(
                        text.doubts().stream(),
                        child.doubts().stream().filter(doubt -> doubt.kind() != PrintDoubt.Kind.UNAVAILABLE))
                .toList();
    }

    /**
     * Returns doubts for prefixes with more prints in text. A framework writes its prints in both ways. More prints in the text therefore
     * mean that one workload wrote only text.
     */
    private Stream<PrintDoubt> onlyInText(PrintFeed text) {
        Map<String, Long> written = byPrefix(text);
        Map<String, Long> better = byPrefix(child);
        return written.entrySet().stream()
                .filter(each -> prefixes.contains(each.getKey()) || better.containsKey(each.getKey()))
                .filter(each -> each.getValue() > better.getOrDefault(each.getKey(), 0L))
                .map(each -> new PrintDoubt(
                        PrintDoubt.Kind.LOST,
                        "Standard output of the workloads has %s of \"%s\", but only %s arrived as files or in the debug stream: the others are missing here. Start workloads that print in different ways in separate tests."
                                .formatted(
                                        CountText.of(each.getValue(), "print"),
                                        each.getKey(),
                                        better.getOrDefault(each.getKey(), 0L))));
    }

    private static Map<String, Long> byPrefix(PrintFeed feed) {
        return feed.prints().stream()
                .collect(Collectors.groupingBy(DevicePrint::prefix, TreeMap::new, Collectors.counting()));
    }

    @Override
    public void close() {
        settle();
        child.close();
    }
}
