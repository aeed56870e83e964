package dev.neurontest.fake.internal.tree.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeReader;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.JournalEntry;
import dev.neurontest.fake.internal.driver.instance.InstanceType;
import dev.neurontest.fake.internal.tree.DirectoryNode;
import dev.neurontest.fake.internal.tree.FileNode;
import dev.neurontest.fake.internal.tree.InProcessTree;
import dev.neurontest.fake.internal.tree.layout.Layout;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of {@code dev/neuronN} in a directory: a character node for root, an ordinary file for other users. */
class DeviceNodesIT {

    @TempDir
    private Path temporary;

    @BeforeEach
    void onlyRootMakesNodes() throws Exception {
        Path probe = temporary.resolve("probe");
        Process mknod;
        try {
            mknod = new ProcessBuilder("mknod", probe.toString(), "c", "512", "0").start();
        } catch (IOException missing) {
            abort("there is no program mknod: " + missing.getMessage());
            return;
        }
        assertThat(mknod.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assumeTrue(
                mknod.exitValue() == 0,
                () -> "this user may not make nodes: "
                        + mknod.errorReader().lines().toList());
        Files.delete(probe);
    }

    @Nested
    class OfAHost {

        private FakeNeuronHost host;

        @BeforeEach
        void start() {
            host = FakeNeuronHost.builder()
                    .instance("trn1.32xlarge")
                    .folder(temporary)
                    .start();
        }

        private Path node(int device) {
            return host.directory().resolve("dev/neuron" + device);
        }

        @AfterEach
        void close() {
            // The host is missing if the test was skipped.
            if (host != null) {
                host.close();
            }
        }

        @Test
        void areCharacterNodesWithTheMajorOfProcDevices() throws Exception {
            int major = Files.readString(host.directory().resolve("proc/devices"))
                    .lines()
                    .filter(line -> line.endsWith(" neuron"))
                    .mapToInt(
                            line -> Integer.parseInt(line.replace("neuron", "").strip()))
                    .findFirst()
                    .orElseThrow();
            for (int device : new int[] {0, 9, 15}) {
                assertThat(stat(node(device))).isEqualTo("character special file %x:%x 666".formatted(major, device));
            }
            assertThat(host.journal()).noneMatch(entry -> entry.contains("ordinary files"));
        }

        @Test
        void inAContainerHaveTheNumbersOfItsDevices() throws Exception {
            host.close();
            host = FakeNeuronHost.builder()
                    .instance("trn1.32xlarge")
                    .container(2, 12)
                    .folder(temporary)
                    .start();

            assertThat(stat(node(0))).isEqualTo("character special file 200:2 666");
            assertThat(stat(node(1))).isEqualTo("character special file 200:c 666");
            assertThat(node(2)).doesNotExist();
        }

        @Test
        void openNoDeviceOfTheMachine() {
            assertThatThrownBy(() -> Files.newInputStream(node(3)).close())
                    .isInstanceOf(FileSystemException.class)
                    .isNotInstanceOf(NoSuchFileException.class);
        }

        @Test
        void appearAndDisappearWithTheirDevice() throws Exception {
            String before = stat(node(3));

            host.device(3).remove();
            host.awaitPublished();
            assertThat(node(3)).doesNotExist();
            assertThat(stat(node(4))).startsWith("character special file");

            host.device(3).restore();
            host.awaitPublished();
            assertThat(stat(node(3))).isEqualTo(before);
        }

        @Test
        void areDeletedWithTheHost() throws IOException {
            assertThat(node(3)).exists().startsWith(temporary.toRealPath());

            host.close();

            assertThat(temporary).isEmptyDirectory();
        }

        private String stat(Path node) throws IOException, InterruptedException {
            Process stat = new ProcessBuilder("stat", "-c", "%F %t:%T %a", node.toString())
                    .redirectErrorStream(true)
                    .start();
            String answer = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            assertThat(stat.waitFor()).as(answer).isZero();
            return answer;
        }
    }

    @Nested
    class Fallback {

        private final Layout layout = Layout.named("driver-2.30");
        private final Driver driver = new Driver(
                InstanceType.named("trn1.2xlarge"), layout.rules(2), Clock.systemUTC(), Duration.ofMillis(10));

        private boolean make(DeviceNodes nodes, Path at) throws IOException {
            DirectoryNode root = new InProcessTree(driver, layout, FakeReader.ROOT).root();
            DirectoryNode directory = (DirectoryNode) root.child("dev", false);
            return nodes.make((FileNode) directory.child("neuron0", false), at);
        }

        private List<String> reasons() {
            return driver.journal().entries().stream()
                    .map(JournalEntry::toString)
                    .filter(entry -> entry.contains("dev/neuronN are ordinary files"))
                    .toList();
        }

        @ParameterizedTest
        @CsvSource({"no-such-program, no-such-program", "false, false ended with 1", "mknod, mknod ended with 1"})
        void failedMknodKeepsTheFileAndIsJournaledOnce(String program, String reason) throws IOException {
            DeviceNodes nodes = new DeviceNodes(temporary, driver.journal(), program);
            Path taken = Files.writeString(temporary.resolve("neuron0"), "precious");

            assertThat(make(nodes, taken)).isFalse();
            assertThat(make(nodes, taken)).isFalse();

            assertThat(taken).hasContent("precious");
            assertThat(reasons()).singleElement().asString().contains(reason);
        }

        @Test
        void folderOfAnotherUserGetsNoNode() throws IOException {
            Path folder = Files.createDirectory(temporary.resolve("of-another"));
            Files.setAttribute(folder, "unix:uid", 1000, LinkOption.NOFOLLOW_LINKS);
            Path at = temporary.resolve("neuron0");

            assertThat(make(new DeviceNodes(folder, driver.journal()), at)).isFalse();

            assertThat(at).doesNotExist();
            assertThat(reasons()).isEmpty();
        }

        @Test
        void fileOutsideDevGetsNoNode() throws IOException {
            DirectoryNode root = new InProcessTree(driver, layout, FakeReader.ROOT).root();
            DirectoryNode proc = (DirectoryNode) root.child("proc", false);
            DeviceNodes nodes = new DeviceNodes(temporary, driver.journal());

            assertThat(nodes.make((FileNode) proc.child("devices", false), temporary.resolve("devices")))
                    .isFalse();

            assertThat(temporary.resolve("devices")).doesNotExist();
        }
    }
}
