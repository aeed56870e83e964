package dev.neurontest.internal.report.page;

import dev.neurontest.internal.page.PageTemplate;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.ReportedTest.Attached;
import dev.neurontest.internal.text.CountText;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The attached files of tests, which remain available when the page is moved. Small readable files are included in the page. Other files
 * are copied to a folder next to it. Files that are already near the page are not copied.
 */
final class PageFiles {

    /** Maximum size of an included text. A longer text is unsuitable for a page of many tests. */
    private static final long LONGEST_TEXT = 64 << 10;

    /** Maximum size of an included page of a profile or of prints. */
    private static final long LARGEST_PAGE = 512 << 10;

    /** Maximum size of all included files, because the page must open quickly. */
    private static final long MOST_INSIDE = 2 << 20;

    /** Maximum size of a copied file. A report is meant to be sent; larger files are linked at their original place. */
    private static final long LARGEST_BESIDE = 64 << 20;

    private static final long MOST_BESIDE = 1 << 30;

    /** Maximum number of links to files of one kind; more are one link to their folder. */
    private static final int MOST_OF_A_KIND = 8;

    private static final Pattern UNSAFE = Pattern.compile("^\\.|[^A-Za-z0-9._-]");
    private static final int LONGEST_NAME = 100;

    private final Path folder;
    private final String directory;
    private final List<Path> sources;
    private final Map<ReportedTest, OfTest> shown = new IdentityHashMap<>();
    private final Map<Path, Path> copies = new LinkedHashMap<>();
    private final Set<String> styles = new TreeSet<>();
    private long bytesInside;
    private long bytesBeside;

    /**
     * Creates an instance without any files.
     *
     * @param page path of the page
     * @param sources folders with readable files; a file elsewhere on this machine is not included, even if a run file names it
     */
    PageFiles(Path page, Collection<Path> sources) {
        Path file = page.toAbsolutePath().normalize();
        this.sources = sources.stream().flatMap(source -> real(source).stream()).toList();
        this.folder = Objects.requireNonNull(file.getParent(), "a file, and not the root of a file system");
        this.directory = String.valueOf(file.getFileName()).replaceFirst("\\.html?$", "") + "-files";
    }

    /**
     * Creates an instance for the files of these JVMs. They are below the working directory, like those of JUnit, or near the run files.
     */
    static PageFiles of(Path page, Collection<ReportedJvm> jvms) {
        Set<Path> sources = new LinkedHashSet<>(Set.of(Path.of("").toAbsolutePath()));
        for (ReportedJvm jvm : jvms) {
            Path output = jvm.file().toAbsolutePath().normalize().getParent();
            if (output != null) {
                sources.add(output);
                sources.add(Objects.requireNonNullElse(output.getParent(), output));
            }
        }
        sources.removeIf(source -> source.getParent() == null);
        return new PageFiles(page, sources);
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    /** Checks whether a file belongs to the run. Links in folders above the file are followed, and the resulting path decides. */
    private boolean isOfTheRun(Path file) {
        return isFile(file)
                && Files.isReadable(file)
                && real(file)
                        .filter(place -> sources.stream().anyMatch(place::startsWith))
                        .isPresent();
    }

    /** A name, with an address if the file exists. */
    record Link(String name, Optional<String> address) {}

    /**
     * A file that is included in the page.
     *
     * @param isPage true if it is a page itself
     * @param isOpen true if it is shown without a click
     */
    record Inside(String name, String content, boolean isPage, boolean isOpen) {}

    /** The files of a test. */
    record OfTest(List<Inside> inside, List<Link> links) {}

    /** Returns links to the original places of the files. A test without details, a mere row of a table, has only these. */
    List<Link> inPlace(ReportedTest test) {
        return links(
                test.attachments(),
                attached -> attached.file()
                        .map(file -> file.toAbsolutePath().normalize())
                        .filter(this::isReached));
    }

    private List<Link> links(List<Attached> attachments, Function<Attached, Optional<Path>> place) {
        List<Link> links = new ArrayList<>();
        Map<String, Long> kinds =
                attachments.stream().collect(Collectors.groupingBy(PageFiles::kind, Collectors.counting()));
        Map<String, List<Path>> many = new LinkedHashMap<>();
        for (Attached attached : attachments) {
            Optional<Path> file = place.apply(attached);
            if (file.isPresent() && kinds.get(kind(attached)) > MOST_OF_A_KIND) {
                many.computeIfAbsent(kind(attached), none -> new ArrayList<>()).add(file.get());
            } else {
                links.add(new Link(attached.name(), file.map(this::address)));
            }
        }
        many.forEach((kind, files) -> links.add(new Link(
                CountText.of(files.size(), kind + " file"),
                Optional.of(address(Objects.requireNonNull(files.get(0).getParent())) + "/"))));
        return links;
    }

    private static String kind(Attached attached) {
        String name = attached.name();
        int dot = name.lastIndexOf('.');
        return dot < 0 ? attached.mediaType() : name.substring(dot);
    }

    /** Returns the included files and the links of a test, computed once for each test. */
    OfTest of(ReportedTest test, String id) {
        return shown.computeIfAbsent(test, absent -> {
            List<Inside> inside = new ArrayList<>();
            List<Attached> remaining = new ArrayList<>();
            test.attachments().forEach(each -> inside(each).ifPresentOrElse(inside::add, () -> remaining.add(each)));
            Path copied = folder.resolve(directory).resolve(id);
            return new OfTest(inside, links(remaining, each -> place(each, copied)));
        });
    }

    /** Returns the digests of the styles of included pages. They are complete after the files of all tests were requested. */
    Set<String> styles() {
        return styles;
    }

    /** Copies the linked files that are not near the page. */
    void write() throws IOException {
        makeFolders();
        for (Map.Entry<Path, Path> copy : copies.entrySet()) {
            try {
                Files.copy(
                        copy.getValue(), copy.getKey(), StandardCopyOption.REPLACE_EXISTING, LinkOption.NOFOLLOW_LINKS);
            } catch (NoSuchFileException gone) {
                // Deleted after the page was created.
            }
        }
    }

    /** Creates the target folders without the files of an earlier report. A link in place of a folder is not followed. */
    private void makeFolders() throws IOException {
        List<Path> folders = copies.keySet().stream()
                .map(Path::getParent)
                .distinct()
                .flatMap(each -> Optional.ofNullable(each).stream())
                .toList();
        if (folders.isEmpty()) {
            return;
        }
        requireFolder(folder.resolve(directory));
        for (Path each : folders) {
            requireFolder(each);
            try (DirectoryStream<Path> earlier =
                    Files.newDirectoryStream(each, file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))) {
                for (Path file : earlier) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void requireFolder(Path place) throws IOException {
        if (Files.isSymbolicLink(place)) {
            Files.delete(place);
        }
        Files.createDirectories(place);
    }

    private Optional<Inside> inside(Attached attached) {
        boolean isPage = attached.mediaType().startsWith("text/html");
        boolean isRead = isPage || attached.mediaType().startsWith("text/");
        long most = Math.min(isPage ? LARGEST_PAGE : LONGEST_TEXT, MOST_INSIDE - bytesInside);
        Optional<Path> file = attached.file().filter(this::isOfTheRun);
        if (!isRead || file.isEmpty()) {
            return Optional.empty();
        }
        try {
            if (Files.size(file.get()) > most) {
                return Optional.empty();
            }
            byte[] content = Files.readAllBytes(file.get());
            bytesInside += content.length;
            String text = new String(content, StandardCharsets.UTF_8);
            if (isPage) {
                styles.addAll(PageTemplate.styleDigests(text));
            }
            return Optional.of(
                    new Inside(attached.name(), text, isPage, attached.name().endsWith("neuron-timeout.txt")));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /** Returns the linked place of a file, which may be its copy; empty when the file does not exist. */
    private Optional<Path> place(Attached attached, Path copied) {
        Optional<Path> file =
                attached.file().map(each -> each.toAbsolutePath().normalize()).filter(PageFiles::isFile);
        if (file.isEmpty() || isBesideThePage(file.get())) {
            return file;
        }
        long bytes = size(file.get());
        if (!isOfTheRun(file.get()) || bytes > LARGEST_BESIDE || bytes > MOST_BESIDE - bytesBeside) {
            return file.filter(this::isReached);
        }
        bytesBeside += bytes;
        Path copy = copied.resolve(free(attached.name(), copied));
        copies.put(copy, file.get());
        return Optional.of(copy);
    }

    /** Returns an unused file name. Names of attachments may contain any characters, and two may be equal. */
    private String free(String name, Path copied) {
        String safe = UNSAFE.matcher(name).replaceAll("_");
        String plain = safe.substring(Math.max(0, safe.length() - LONGEST_NAME));
        String free = plain;
        for (int number = 2; copies.containsKey(copied.resolve(free)); number++) {
            free = number + "-" + plain;
        }
        return free;
    }

    /** Checks whether a file is in a folder of a run next to the page. Such a folder is moved together with the page. */
    private boolean isBesideThePage(Path file) {
        return file.startsWith(folder)
                && folder.relativize(file).getName(0).toString().startsWith("run-");
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException unknown) {
            return Long.MAX_VALUE;
        }
    }

    private boolean isReached(Path file) {
        return Objects.equals(folder.getRoot(), file.getRoot()) && isFile(file);
    }

    private static boolean isFile(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Returns the relative address of a file. Every part of the path is encoded, because it must not be parsed as a scheme, a host or a
     * query.
     */
    private String address(Path target) {
        List<String> parts = new ArrayList<>();
        folder.relativize(target)
                .forEach(part -> parts.add(URLEncoder.encode(part.toString(), StandardCharsets.UTF_8)
                        .replace("+", "%20")));
        return "./" + String.join("/", parts);
    }
}
