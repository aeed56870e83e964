package dev.neurontest.internal.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.ReportedTest.Attached;
import dev.neurontest.internal.report.TestOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the files of a test, in the page and next to it. */
class PageFilesTest {

    @TempDir
    private Path folder;

    private Path run;
    private Path reports;
    private PageFiles files;

    @BeforeEach
    void begin() throws IOException {
        run = Files.createDirectories(folder.resolve("run-1"));
        reports = Files.createDirectories(folder.resolve("reports"));
        files = new PageFiles(reports.resolve("report.html"), List.of(run));
    }

    private Attached attached(String name, String type, String content) throws IOException {
        Path file = Files.writeString(run.resolve(name), content);
        return new Attached(name, type, Files.size(file), Optional.of(file));
    }

    private static ReportedTest test(List<Attached> attachments) {
        return new ReportedTest(
                0,
                new TestId("[engine:e]/[class:a.B]/[method:t()]", "B > t()"),
                false,
                TestOutcome.FAILED,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Instant.EPOCH,
                Duration.ZERO,
                Duration.ZERO,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                attachments,
                0,
                Optional.empty());
    }

    private PageFiles.OfTest shown(Attached... attachments) {
        return files.of(test(List.of(attachments)), "t1");
    }

    @Test
    void embedsShortTextsAndPages() throws IOException {
        // when
        PageFiles.OfTest shown = shown(
                attached("neuron-counters.txt", "text/plain", "counters"),
                attached("neuron-prints.html", "text/html", "<p>prints</p>"));

        // then
        assertThat(shown.inside())
                .containsExactly(
                        new PageFiles.Inside("neuron-counters.txt", "counters", false, false),
                        new PageFiles.Inside("neuron-prints.html", "<p>prints</p>", true, false));
        assertThat(shown.links()).isEmpty();
        assertThat(reports).isEmptyDirectory();
    }

    @Test
    void showsStateAtTimeoutUnfolded() throws IOException {
        assertThat(shown(attached("neuron-timeout.txt", "text/plain", "threads"))
                        .inside())
                .containsExactly(new PageFiles.Inside("neuron-timeout.txt", "threads", false, true));
    }

    @Test
    void linksLongTextAndJsonFilesBesidePage() throws IOException {
        // when
        PageFiles.OfTest shown = shown(
                attached("log.txt", "text/plain", "x".repeat(100_000)),
                attached("neuron-counters.json", "application/json", "{}"));
        files.write();

        // then
        assertThat(shown.links())
                .containsExactly(
                        new PageFiles.Link("log.txt", Optional.of("./report-files/t1/log.txt")),
                        new PageFiles.Link(
                                "neuron-counters.json", Optional.of("./report-files/t1/neuron-counters.json")));
        assertThat(reports.resolve("report-files/t1/log.txt")).hasSize(100_000);
        assertThat(reports.resolve("report-files/t1/neuron-counters.json")).hasContent("{}");
    }

    @Test
    void linksRunFolderBesidePageWithoutCopy() throws IOException {
        // given
        files = new PageFiles(folder.resolve("report.html"), List.of(run));

        // when
        PageFiles.OfTest shown = shown(attached("a 100% #1?.json", "application/json", "{}"));
        files.write();

        // then
        assertThat(shown.links())
                .containsExactly(
                        new PageFiles.Link("a 100% #1?.json", Optional.of("./run-1/a%20100%25%20%231%3F.json")));
        assertThat(folder).isDirectoryNotContaining("glob:**report-files");
    }

    private List<Attached> prints() throws IOException {
        List<Attached> attachments = new ArrayList<>();
        for (int print = 0; print < 64; print++) {
            attachments.add(
                    attached(String.format(Locale.ROOT, "print-%02d.npy", print), "application/octet-stream", "x"));
        }
        return attachments;
    }

    @Test
    void tableRowLinksFilesInFolderOfRun() throws IOException {
        // given
        List<Attached> attachments = prints();
        attachments.add(attached("neuron-prints.txt", "text/plain", "x"));

        // then
        assertThat(files.inPlace(test(attachments)))
                .containsExactly(
                        new PageFiles.Link("neuron-prints.txt", Optional.of("./../run-1/neuron-prints.txt")),
                        new PageFiles.Link("64 .npy files", Optional.of("./../run-1/")));
    }

    @Test
    void linksManyFilesOfOneKindAsFolder() throws IOException {
        // given
        List<Attached> attachments = prints();

        // when
        PageFiles.OfTest shown = shown(attachments.toArray(Attached[]::new));
        files.write();

        // then
        assertThat(shown.links())
                .containsExactly(new PageFiles.Link("64 .npy files", Optional.of("./report-files/t1/")));
        assertThat(reports.resolve("report-files/t1").toFile().list()).hasSize(64);
    }

    @Test
    void makesHostileAndDuplicateNamesHarmless() throws IOException {
        // given
        Path file = Files.writeString(run.resolve("x"), "x");
        Attached up = new Attached("../../up.bin", "application/octet-stream", 1, Optional.of(file));
        Attached hidden = new Attached(".profile", "application/octet-stream", 1, Optional.of(file));

        // when
        PageFiles.OfTest shown = shown(up, up, hidden);
        files.write();

        // then
        assertThat(shown.links())
                .extracting(link -> link.address().orElseThrow())
                .containsExactly(
                        "./report-files/t1/_._.._up.bin",
                        "./report-files/t1/2-_._.._up.bin",
                        "./report-files/t1/_profile");
        assertThat(folder).isDirectoryNotContaining("glob:**up.bin");
    }

    @Test
    void doesNotReadOrCopyFileOutsideRun() throws IOException {
        // given a run file that names it, also by a folder that leads there
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        Path secret = Files.writeString(elsewhere.resolve("secret"), "secret");
        Path planted = Files.createSymbolicLink(run.resolve("planted"), elsewhere);

        // when
        PageFiles.OfTest shown = shown(
                new Attached("a.txt", "text/plain", 6, Optional.of(secret)),
                new Attached("b.txt", "text/plain", 6, Optional.of(planted.resolve("secret"))),
                new Attached("c.bin", "application/octet-stream", 6, Optional.of(planted.resolve("secret"))));
        files.write();

        // then
        assertThat(shown.inside()).isEmpty();
        assertThat(reports).isEmptyDirectory();
    }

    @Test
    void doesNotFollowSymbolicLinks() throws IOException {
        // given
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        Path other = Files.createDirectories(folder.resolve("other"));
        Files.writeString(other.resolve("kept"), "x");
        Attached planted = new Attached(
                "planted.txt",
                "text/plain",
                6,
                Optional.of(Files.createSymbolicLink(run.resolve("planted.txt"), secret)));
        Files.createSymbolicLink(reports.resolve("report-files"), other);

        // when
        PageFiles.OfTest shown = shown(planted, attached("a.json", "application/json", "{}"));
        files.write();

        // then
        assertThat(shown.inside()).isEmpty();
        assertThat(shown.links()).contains(new PageFiles.Link("planted.txt", Optional.empty()));
        assertThat(other).isDirectoryNotContaining("glob:**t1").isDirectoryContaining("glob:**kept");
        assertThat(reports.resolve("report-files/t1/a.json")).hasContent("{}");
    }

    @Test
    void removesFilesOfEarlierReport() throws IOException {
        // given
        Path earlier = Files.createDirectories(reports.resolve("report-files/t1"));
        Files.writeString(earlier.resolve("old.npy"), "x");

        // when
        shown(attached("a.json", "application/json", "{}"));
        files.write();

        // then
        assertThat(earlier.toFile().list()).containsExactly("a.json");
    }

    @Test
    void namesMissingFileWithoutLink() {
        assertThat(shown(new Attached("gone.json", "application/json", 1, Optional.of(run.resolve("gone.json"))))
                        .links())
                .containsExactly(new PageFiles.Link("gone.json", Optional.empty()));
    }

    @Test
    void limitsSizeOfEmbeddedFiles() throws IOException {
        // given
        Attached text = attached("log.txt", "text/plain", "x".repeat(60_000));

        // when
        int inside = 0;
        for (int test = 0; test < 100; test++) {
            inside += files.of(test(List.of(text)), "t" + test).inside().size();
        }

        // then
        assertThat(inside).isBetween(10, 40);
    }
}
