package dev.neurontest.fake.tree.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.driver.Driver;
import dev.neurontest.fake.driver.instance.InstanceType;
import dev.neurontest.fake.files.FakeReader;
import dev.neurontest.fake.tree.InProcessTree;
import dev.neurontest.fake.tree.layout.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the folder of a host is made. */
class HostPlacesTest {

    private static final long FILES = 1000;
    /** 4 KiB for each file, and 8 MiB. */
    private static final long ROOMY = FILES * 4096 + (8 << 20);

    @TempDir
    private Path machine;

    private Path memory;
    private Path temporary;

    private final Layout layout = Layout.named("driver-2.30");
    private final Driver driver =
            new Driver(InstanceType.named("trn1.2xlarge"), layout.rules(2), Clock.systemUTC(), Duration.ofMillis(10));
    private final System system = new System();

    @BeforeEach
    void makeThePlaces() throws IOException {
        memory = Files.createDirectory(machine.resolve("shm")).toRealPath();
        temporary = Files.createDirectory(machine.resolve("tmp")).toRealPath();
    }

    /** What the operating system would say. */
    private static final class System implements HostPlaces.Probe {

        private final Set<Path> noexec = new HashSet<>();
        private final Set<Path> readOnly = new HashSet<>();
        private long free = ROOMY;

        @Override
        public Room room(Path folder) {
            return new Room(free, 4096);
        }

        @Override
        public boolean writable(Path folder) {
            return !readOnly.contains(folder);
        }

        @Override
        public boolean executable(Path file) {
            return Files.isExecutable(file) && noexec.stream().noneMatch(file::startsWith);
        }
    }

    private HostPlaces places() {
        return new HostPlaces(memory, temporary, system);
    }

    /** Makes a host, and says where. */
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

    private void assertTemporaryFor(String reason) throws IOException {
        assertThat(place()).startsWithRaw(temporary);
        assertThat(memory).isEmptyDirectory();
        assertThat(temporary).isEmptyDirectory();
        assertThat(journal())
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains(reason)
                        .contains(memory.toString())
                        .contains(temporary.toString())
                        .contains("FakeNeuronHost.Builder.folder(Path)")
                        .doesNotContain("\n"));
    }

    @Test
    void isMemory() throws IOException {
        assertThat(place()).startsWithRaw(memory);

        assertThat(memory).isEmptyDirectory();
        assertThat(temporary).isEmptyDirectory();
        assertThat(journal()).isEmpty();
    }

    @Test
    void isTheFolderForTemporaryFilesWhereThereIsNoMemory() throws IOException {
        Files.delete(memory);

        assertThat(place()).startsWithRaw(temporary);

        assertThat(journal()).isEmpty();
    }

    @Test
    void isNoFolderThatALinkLeadsTo() throws IOException {
        Path elsewhere = Files.createDirectory(machine.resolve("elsewhere"));
        Files.delete(memory);
        Files.createSymbolicLink(memory, elsewhere);

        assertThat(place()).startsWithRaw(temporary);

        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void isTheFolderForTemporaryFilesWhereMemoryIsNotRoomy() throws IOException {
        system.free = ROOMY - 1;

        assertTemporaryFor("12191 KiB are free, 1000 files need 12192 KiB");
    }

    @Test
    void isTheFolderForTemporaryFilesWhereNoProgramRunsInMemory() throws IOException {
        system.noexec.add(memory);

        assertTemporaryFor("mounted noexec");
    }

    @Test
    void isTheFolderForTemporaryFilesWhereMemoryCannotBeWrittenTo() throws IOException {
        system.readOnly.add(memory);

        assertTemporaryFor("cannot be written to");
    }

    @Test
    void isTheFolderForTemporaryFilesWhenMemoryIsFullInTheMiddle() throws IOException {
        // given: a view of which the last file has no room
        InProcessTree tree = new InProcessTree(driver, layout, FakeReader.ROOT);
        List<Path> tried = new ArrayList<>();

        // when
        DirectoryView made = places().make(FILES, driver.journal(), folder -> {
            DirectoryView view = DirectoryView.open(tree, driver, folder, Set.of());
            tried.add(view.root());
            if (view.root().startsWith(memory)) {
                view.close();
                throw new IOException("No space left on device");
            }
            return view;
        });

        // then
        try (made) {
            assertThat(tried).hasSize(2);
            assertThat(tried.get(0)).startsWithRaw(memory);
            assertThat(made.root()).startsWith(temporary).isNotEmptyDirectory();
            assertThat(memory).isEmptyDirectory();
            assertThat(journal())
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("No space left on device"));
        }
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void isNowhereWhenNeitherWillDo() {
        system.free = 0;
        system.noexec.add(temporary);

        assertThatThrownBy(this::place)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(memory + " will do (0 KiB are free")
                .hasMessageContaining(temporary + " (it is mounted noexec")
                .hasMessageContaining("FakeNeuronHost.Builder.folder(Path)")
                .hasMessageContaining("neuron.test.fake.folder");
        assertThat(memory).isEmptyDirectory();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void isTheChosenOneWhateverItsRoom() throws IOException {
        Path chosen = Files.createDirectory(machine.resolve("chosen")).toRealPath();
        system.free = 0;

        assertThat(places().makeIn(chosen, HostPlacesTest::rootOf)).startsWithRaw(chosen);

        assertThat(chosen).isEmptyDirectory();
    }

    @Test
    void isNowhereWhenTheChosenOneWillNotDo() throws IOException {
        Path chosen = Files.createDirectory(machine.resolve("chosen")).toRealPath();
        Path absent = machine.resolve("absent");

        assertRefused(absent, "it is no directory");
        system.noexec.add(chosen);
        assertRefused(chosen, "mounted noexec");
        system.readOnly.add(chosen);
        assertRefused(chosen, "cannot be written to");

        assertThat(absent).doesNotExist();
        assertThat(chosen).isEmptyDirectory();
        assertThat(memory).isEmptyDirectory();
        assertThat(temporary).isEmptyDirectory();
    }

    private void assertRefused(Path chosen, String reason) {
        assertThatThrownBy(() -> places().makeIn(chosen, HostPlacesTest::rootOf))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(chosen.toString())
                .hasMessageContaining(reason)
                .hasMessageContaining("FakeNeuronHost.Builder.folder(Path)");
    }

    @Test
    void whatToDoIsSaidWhenAFileCannotBeWrittenForWantOfRoom() throws IOException {
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
