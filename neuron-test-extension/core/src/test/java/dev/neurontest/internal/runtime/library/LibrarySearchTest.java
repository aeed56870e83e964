package dev.neurontest.internal.runtime.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class LibrarySearchTest {

    @TempDir
    Path root;

    private Path usual;

    @BeforeEach
    void folder() throws IOException {
        root = root.toRealPath();
        usual = root.resolve("opt/aws/neuron/lib/libnrt.so.1");
        Files.createDirectories(usual.getParent());
    }

    private String refusal(Optional<Path> chosen) {
        return refusal(root, chosen);
    }

    private static String refusal(Path root, Optional<Path> chosen) {
        LibrarySearch search = new LibrarySearch(root, chosen);
        assertThat(search.find()).isEmpty();
        return search.refusal();
    }

    /** Returns a library of this machine that is not part of Neuron. */
    private static byte[] foreignLibrary() throws IOException {
        return Files.readAllBytes(Path.of(System.getProperty("java.home"), "lib", "libnet.so"));
    }

    @Test
    void explainsThatOnlyPlaceUnderRootCounts() {
        // then
        assertThat(refusal(Optional.empty())).isEqualTo("""
                        No libnrt can be used here. Checked:
                          %s: does not exist
                        Under a root other than / only this place is searched: put the library there, or set its path.""".formatted(usual));
    }

    @Test
    void searchesOnlyChosenPath() {
        // given
        Path chosen = root.resolve("my/libnrt.so.1");

        // then
        assertThat(refusal(Optional.of(chosen))).isEqualTo("""
                        No libnrt can be used here. Checked:
                          %s: does not exist
                        Correct this path, or remove it to search the usual places.""".formatted(chosen));
    }

    @Test
    void explainsLibraryPathOfJvmOnRealMachine() {
        // given
        assumeThat(Path.of("/opt/aws/neuron/lib/libnrt.so.1")).doesNotExist();

        // then
        assertThat(refusal(Path.of("/"), Optional.empty()))
                .contains("\n  /opt/aws/neuron/lib/libnrt.so.1: does not exist\n")
                .contains(
                        "\n  libnrt.so.1, as the loader finds it (LD_LIBRARY_PATH and its cache): the loader refuses it: ")
                .contains("<LD_LIBRARY_PATH>/opt/aws/neuron/lib</LD_LIBRARY_PATH>")
                .contains("environment(\"LD_LIBRARY_PATH\", \"/opt/aws/neuron/lib\")");
    }

    @Test
    void refusesAFileThatIsNoLibrary() throws IOException {
        // given
        Files.writeString(usual, "a text that is long enough");

        // then
        assertThat(refusal(Optional.empty()))
                .contains(usual + ": is not a shared library: it begins with 61207465 instead of 7f454c46 (ELF)\n");
    }

    @Test
    void refusesAnEmptyFile() throws IOException {
        // given
        Files.createFile(usual);

        // then
        assertThat(refusal(Optional.empty())).contains(usual + ": is not a shared library: it begins with nothing");
    }

    @Test
    void refusesALibraryForAnotherMachine() throws IOException {
        // given
        byte[] library = foreignLibrary();
        String other = library[18] == 62 ? "aarch64" : "amd64";
        library[18] = (byte) (library[18] == 62 ? 183 : 62);
        Files.write(usual, library);

        // then
        assertThat(refusal(Optional.empty()))
                .contains("%s: is a library for %s, but this JVM is %s\n"
                        .formatted(usual, other, System.getProperty("os.arch")));
    }

    @Test
    void quotesLoaderErrorForTruncatedLibrary() throws IOException {
        // given
        Files.write(usual, Arrays.copyOf(foreignLibrary(), 100));

        // then
        assertThat(refusal(Optional.empty()))
                .contains("%1$s: the loader refuses it: %1$s: ".formatted(usual))
                .doesNotContain(".jar");
    }

    @Test
    void refusesUnrelatedLibrary() throws IOException {
        // given
        Path library = Path.of(System.getProperty("java.home"), "lib", "libjava.so");

        // then
        assertThat(refusal(Optional.of(library))).contains(library + ": exports no function of libnrt\n");
    }

    @Test
    void refusesAFolder() throws IOException {
        // given
        Files.createDirectory(usual);

        // then
        assertThat(refusal(Optional.empty())).contains(usual + ": is not a regular file\n");
    }

    @Test
    void followsNoLinkOutOfTheRoot(@TempDir Path elsewhere) throws IOException {
        // given
        Path library = Files.write(elsewhere.resolve("libnrt.so.1"), foreignLibrary());
        Files.createSymbolicLink(usual, library);

        // then
        assertThat(refusal(Optional.empty()))
                .contains("%s: leads out of the root %s by a symbolic link\n".formatted(usual, root));
    }

    @Test
    void reportsDanglingLink() throws IOException {
        // given
        Files.createSymbolicLink(usual, Path.of("libnrt.so.2.0"));

        // then
        assertThat(refusal(Optional.empty())).contains(usual + ": is a symbolic link to a missing file\n");
    }
}
