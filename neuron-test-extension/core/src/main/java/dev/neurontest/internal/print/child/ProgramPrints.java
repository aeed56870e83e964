package dev.neurontest.internal.print.child;

import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.PrintDoubt;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The prints of one program that has ended, from its own folder and its standard output. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProgramPrints {

    private static final int STANDARD_OUTPUT = 0;

    private ProgramPrints() {}

    /** Returns the folder for the files of prints in the folder of a program. */
    public static Path folderIn(Path folder) {
        return folder.resolve("prints");
    }

    /**
     * Returns the prints of a program. Text counts only if the program left no files.
     *
     * @param folder folder of the program; empty without one
     * @param stdout its standard output, if it is not in the folder
     * @param ended time of its end, at which text arrives
     * @param prefixes prefixes of prints without data type and shape
     */
    public static PrintFeed of(Optional<Path> folder, String stdout, Instant ended, Set<String> prefixes) {
        PrintFeed text = text(folder, stdout, ended, prefixes);
        Optional<PrintFeed> files = folder.map(ProgramPrints::folderIn)
                .filter(prints -> Files.isDirectory(prints, LinkOption.NOFOLLOW_LINKS))
                .map(PrintFiles::collect)
                .filter(prints -> !prints.prints().isEmpty()
                        || !prints.oddEvents().isEmpty()
                        || prints.doubts().stream().anyMatch(doubt -> doubt.kind() != PrintDoubt.Kind.UNAVAILABLE));
        return files.isEmpty()
                ? text
                : PrintFeed.of(List.of(
                        files.get(), new GivenFeed(List.of(), List.of(), onlyInText(files.get(), text, prefixes))));
    }

    /** Returns the prints in the standard output of a program. */
    public static PrintFeed text(Optional<Path> folder, String stdout, Instant ended, Set<String> prefixes) {
        try (Reader output = output(folder, stdout)) {
            return PrintedText.of(output, prefixes, STANDARD_OUTPUT, ended);
        } catch (IOException lost) {
            return PrintedText.unreadable(lost);
        }
    }

    private static Reader output(Optional<Path> folder, String stdout) throws IOException {
        Path log = folder.map(place -> place.resolve("stdout.log")).orElse(Path.of(""));
        return Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)
                ? new InputStreamReader(Files.newInputStream(log), StandardCharsets.UTF_8)
                : new StringReader(stdout);
    }

    /**
     * Returns doubts for prefixes with more prints in text. A framework writes its prints in both ways. More prints in the text therefore
     * mean that something wrote only text.
     *
     * @param better prints from files or a debug stream
     * @param prefixes the expected prefixes
     */
    public static List<PrintDoubt> onlyInText(PrintFeed better, PrintFeed text, Set<String> prefixes) {
        Map<String, Long> written = byPrefix(text);
        Map<String, Long> arrived = byPrefix(better);
        return written.entrySet().stream()
                .filter(each -> prefixes.contains(each.getKey()) || arrived.containsKey(each.getKey()))
                .filter(each -> each.getValue() > arrived.getOrDefault(each.getKey(), 0L))
                .map(each -> new PrintDoubt(
                        PrintDoubt.Kind.LOST,
                        "Standard output of the workloads has %s of \"%s\", but only %s arrived as files or in the debug stream: the others are missing here. Start workloads that print in different ways in separate tests."
                                .formatted(
                                        CountText.of(each.getValue(), "print"),
                                        each.getKey(),
                                        arrived.getOrDefault(each.getKey(), 0L))))
                .toList();
    }

    private static Map<String, Long> byPrefix(PrintFeed feed) {
        return feed.prints().stream()
                .collect(Collectors.groupingBy(DevicePrint::prefix, TreeMap::new, Collectors.counting()));
    }
}
