package dev.neurontest.fake.internal.tree.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.instance.InstanceType;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the places for the folder of a host. */
class HostPlacesTest {

    private static final long FILES = 1000;

    @TempDir
    private Path machine;

    private Path memory;
    private Path temporary;

    private final Layout layout = Layout.named("driver-2.30");
    private final Driver driver =
            new Driver(InstanceType.named("trn1.2xlarge"), layout.rules(2), Clock.systemUTC(), Duration.ofMillis(10));

    @BeforeEach
    void makeThePlaces() throws IOException {
        memory = Files.createDirectory(machine.resolve("shm")).toRealPath();
        temporary = Files.createDirectory(machine.resolve("tmp")).toRealPath();
    }

    private HostPlaces places() {
        return new HostPlaces(memory, temporary);
    }

    /** Creates a host and returns its root. */
    private Path place() throws IOException {
        return places().make(FILES, driver.journal(), HostPlacesTest::rootOf);
    }

    private static Path rootOf(HostFolder folder) throws IOException {
        assertThat(folder.root()).isEmptyDirectory();
        folder.delete();
        return folder.root();
    }

    private List<String> journal() {
        return driver.journal().entries().stream()
                .map(entry -> entry.what().toString())
                .filter(what -> what.contains("neuron.test.fake.folder"))
                .toList();
    }

    @Test
    void prefersMemory() throws IOException {
        assertThat(place()).startsWithRaw(memory);

        assertThat(memory).isEmptyDirectory();
        assertThat(temporary).isEmptyDirectory();
        assertThat(journal()).isEmpty();
    }

    @Test
    void usesTemporaryFolderWithoutMemory() throws IOException {
        Files.delete(memory);

        assertThat(place()).startsWithRaw(temporary);

        assertThat(journal()).isEmpty();
    }

    @Test
    void ignoresALinkInPlaceOfMemory() throws IOException {
        Path elsewhere = Files.createDirectory(machine.resolve("elsewhere"));
        Files.delete(memory);
        Files.createSymbolicLink(memory, elsewhere);

        assertThat(place()).startsWithRaw(temporary);

        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void refusesWhenNoPlaceIsUsable() throws IOException {
        Files.delete(memory);
        Files.delete(temporary);

        assertThatThrownBy(this::place)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(memory + " (it is not a directory) nor ")
                .hasMessageContaining(temporary + " (it is not a directory) can be used: ")
                .hasMessageContaining("FakeNeuronHost.Builder.folder(Path)")
                .hasMessageContaining("neuron.test.fake.folder");
    }

    @Test
    void usesTheChosenFolder() throws IOException {
        Path chosen = Files.createDirectory(machine.resolve("chosen")).toRealPath();

        assertThat(places().makeIn(chosen, HostPlacesTest::rootOf)).startsWithRaw(chosen);

        assertThat(chosen).isEmptyDirectory();
    }

    @Test
    void refusesAnUnusableChosenFolder() throws IOException {
        Path absent = machine.resolve("absent");

        assertThatThrownBy(() -> places().makeIn(absent, HostPlacesTest::rootOf))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(absent.toString())
                .hasMessageContaining("it is not a directory")
                .hasMessageContaining("FakeNeuronHost.Builder.folder(Path)");

        assertThat(absent).doesNotExist();
        assertThat(memory).isEmptyDirectory();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void fullFolderGivesAdvice() throws IOException {
        IOException full = new IOException("No space left on device");

        places().make(FILES, driver.journal(), folder -> {
            assertThat(folder.advice(full)).contains("full").contains("neuron.test.fake.folder");
            assertThat(folder.advice(new IOException("Permission denied"))).isEmpty();
            folder.delete();
            return folder;
        });
        assertThat(HostFolder.claim(machine.resolve("host")).advice(full)).contains("choose a root");
    }
}
