package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.DEVICES;
import static dev.neurontest.patience.Patience.await;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryIT {

    private static final String CORE = "neuron0/neuron_core1";
    private static final String REQUESTS = CORE + "/stats/other_info/reset_req_count/";

    /** The permissions of a file that a user other than root may try to write, although sysfs would refuse it. */
    private static final Set<PosixFilePermission> WRITABLE = PosixFilePermissions.fromString("rw-------");

    @TempDir
    private Path temporary;

    @AutoClose
    private FakeNeuronHost host;

    @BeforeEach
    void open() {
        host = FakeNeuronHost.builder().layout("driver-2.x").folder(temporary).start();
    }

    private FakeNeuronHost restart(String instance, String layout) {
        host.close();
        host = FakeNeuronHost.builder()
                .instance(instance)
                .layout(layout)
                .root(temporary.resolve("host"))
                .clock(new ClockFixture("2026-11-21T09:00:00Z"))
                .start();
        return host;
    }

    private Path file(String path) {
        return host.directory().resolve(DEVICES + path);
    }

    private String content(String path) throws IOException {
        return Files.readString(file(path));
    }

    private void awaitContent(String path, String content) {
        await().ignoreException(NoSuchFileException.class)
                .untilAsserted(() -> assertThat(content(path)).isEqualTo(content));
    }

    private static Map<String, String> shape(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> !path.equals(root))
                    .collect(Collectors.toMap(path -> root.relativize(path).toString(), DirectoryIT::describe));
        }
    }

    private static String describe(Path path) {
        try {
            if (Files.isSymbolicLink(path)) {
                return "-> " + Files.readSymbolicLink(path);
            }
            String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
            return (Files.isDirectory(path) ? "d" : "-") + mode;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> expectedShape(FakeTree tree) throws IOException {
        TreeWalkFixture walk = TreeWalkFixture.below(tree, "");
        Map<String, String> shape = walk.links().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, link -> "-> " + link.getValue().linkTarget()));
        walk.directories().forEach(directory -> shape.put(directory, "drwxr-xr-x"));
        walk.files().forEach((path, entry) -> shape.put(path, "-" + mode(entry.mode())));
        return shape;
    }

    private static String mode(int bits) {
        StringBuilder text = new StringBuilder("rwxrwxrwx");
        for (int bit = 0; bit < 9; bit++) {
            if ((bits & (0400 >> bit)) == 0) {
                text.setCharAt(bit, '-');
            }
        }
        return text.toString();
    }

    @Test
    void showsElectionResultOfAnUltraServer() throws IOException {
        restart("trn2u.48xlarge", "driver-2.30");
        Path node = host.directory().resolve("sys/class/neuron_device/node_id_2");
        assertThat(node).hasContent("0");

        host.elect(1, 4);
        host.awaitPublished();

        assertThat(node).hasContent("1");
    }

    static Stream<Arguments> everyLayoutOnThreeTypes() {
        return Stream.concat(
                Stream.of("inf1.xlarge", "inf2.xlarge", "trn2.3xlarge")
                        .flatMap(instance -> FakeNeuronHost.layouts(instance).stream()
                                .map(layout -> Arguments.of(layout, instance))),
                FakeNeuronHost.inventedLayouts().stream().map(layout -> Arguments.of(layout, "trn2.3xlarge")));
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("everyLayoutOnThreeTypes")
    void matchesTheTreeInFilesModesLinksAndContent(String layout, String instance) throws IOException {
        restart(instance, layout);
        host.openProcess("trainer", host.core(CORE));

        // when
        Path root = host.directory();

        // then
        Map<String, String> shape = shape(root);
        shape.keySet().removeIf(path -> !Set.of("sys", "dev", "proc").contains(path.split("/")[0]));
        assertThat(shape).isEqualTo(expectedShape(host.tree()));
        Set<String> files = TreeWalkFixture.below(host.tree(), "").files().keySet();
        // As root these are nodes, which cannot be opened.
        files.removeIf(path -> path.startsWith("dev/"));
        for (String path : files) {
            assertThat(Files.readAllBytes(root.resolve(path)))
                    .as(path)
                    .isEqualTo(host.tree().read(path));
        }
    }

    @Nested
    class Root {

        @Test
        void defaultRootIsPrivateAndRemovedOnClose() throws IOException {
            Path root = host.directory();

            assertThat(root).isAbsolute().isEqualTo(host.directory());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root)))
                    .isEqualTo("rwx------");

            // when
            host.close();

            // then
            assertThat(root).doesNotExist();
            assertThat(temporary).isEmptyDirectory();
        }

        @Test
        void absentRootIsCreatedAndRemovedOnClose() {
            restart("trn1.2xlarge", "driver-2.30");
            assertThat(host.directory().resolve("env.sh")).exists();

            // when
            host.close();

            // then
            assertThat(temporary).isEmptyDirectory();
        }

        @Test
        void existingEmptyRootIsLeftEmptyOnClose() throws IOException {
            Files.createDirectory(temporary.resolve("host"));
            restart("trn1.2xlarge", "driver-2.30");
            assertThat(host.directory().resolve("env.sh")).exists();

            // when
            host.close();

            // then
            assertThat(temporary.resolve("host")).isEmptyDirectory();
        }

        @ParameterizedTest
        @ValueSource(strings = {"full", "file", "link", "dangling", "missing/host"})
        void unusableRootIsRefusedAndLeftUntouched(String name) throws IOException {
            Files.createDirectory(temporary.resolve("full"));
            Files.writeString(temporary.resolve("full/mine"), "precious");
            Files.writeString(temporary.resolve("file"), "precious");
            Files.createDirectory(temporary.resolve("empty"));
            Files.createSymbolicLink(temporary.resolve("link"), Path.of("empty"));
            Files.createSymbolicLink(temporary.resolve("dangling"), Path.of("nowhere"));
            Map<String, String> before = shape(temporary);
            try (FakeNeuronHost other =
                    FakeNeuronHost.builder().root(temporary.resolve(name)).start()) {
                // then
                assertThatThrownBy(other::directory)
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining(temporary.resolve(name).toString());
            }
            assertThat(shape(temporary)).isEqualTo(before);
            assertThat(temporary.resolve("full/mine")).hasContent("precious");
        }

        @Test
        void missingParentOfRootIsNamed() {
            // given
            Path parent = temporary.resolve("missing");
            try (FakeNeuronHost other =
                    FakeNeuronHost.builder().root(parent.resolve("host")).start()) {
                // then
                assertThatThrownBy(other::directory)
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageEndingWith("its parent " + parent + " does not exist");
            }
        }

        @Test
        void deletionDoesNotFollowPlantedLinks() throws IOException {
            restart("trn1.2xlarge", "driver-2.30");
            Path precious = Files.createDirectory(temporary.resolve("precious"));
            Files.writeString(precious.resolve("file"), "precious");
            Files.createSymbolicLink(host.directory().resolve("link"), precious);
            Files.createSymbolicLink(host.directory().resolve("opt/link"), precious);
            Files.createSymbolicLink(host.directory().resolve("proc/99"), precious);
            Files.createSymbolicLink(file("neuron0/stats/link"), precious);

            // when
            host.close();

            // then
            assertThat(temporary.resolve("host")).doesNotExist();
            assertThat(precious.resolve("file")).hasContent("precious");
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void replacedRootIsNotDeleted(boolean link) throws IOException {
            // given
            restart("trn1.2xlarge", "driver-2.30");
            Path root = host.directory();
            Path precious = Files.createDirectory(temporary.resolve("precious"));
            Files.writeString(precious.resolve("file"), "precious");
            Files.move(root, temporary.resolve("moved"));
            if (link) {
                Files.createSymbolicLink(root, precious);
            } else {
                Files.move(precious, root);
            }

            // when
            assertThatThrownBy(host::close)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(root + " was replaced by another file");

            // then
            assertThat(root.resolve("file")).hasContent("precious");
        }

        @Test
        @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void isRemovedWhileOthersCreateFoldersInIt() throws Exception {
            // given
            restart("trn1.2xlarge", "driver-2.30");
            Path root = host.directory();
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger folders = new AtomicInteger();
            Thread writer = new Thread(() -> {
                while (!stop.get()) {
                    root.resolve("tmp" + folders.incrementAndGet()).toFile().mkdir();
                }
            });
            writer.start();
            await().until(() -> folders.get() > 400);

            // when
            host.close();
            stop.set(true);
            writer.join();

            // then
            assertThat(temporary).isEmptyDirectory();
        }

        @Test
        void isRemovedWhileOthersCreateFilesInIt() throws Exception {
            // given
            restart("trn1.2xlarge", "driver-2.30");
            List<Path> directories = List.of(host.directory().resolve("proc"), file("neuron0"), file(REQUESTS));
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger files = new AtomicInteger();
            Thread writer = new Thread(() -> {
                while (!stop.get()) {
                    for (Path directory : directories) {
                        try {
                            Files.createFile(directory.resolve("file" + files.incrementAndGet()));
                        } catch (IOException e) {
                            // The file is gone, as the test expects.
                        }
                    }
                }
            });
            writer.start();
            await().until(() -> files.get() > 400);

            // when
            host.close();
            stop.set(true);
            writer.join();

            // then
            assertThat(temporary).isEmptyDirectory();
        }
    }

    @Nested
    class Publishing {

        @Test
        void unchangedFilesAreNotRewritten() throws IOException {
            host.directory();
            Object before = Files.readAttributes(file(REQUESTS + "total"), "unix:ino");
            Object otherBefore =
                    Files.readAttributes(file("neuron0/neuron_core0/stats/status/success/total"), "unix:ino");

            // when
            host.openProcess(host.core(CORE));
            host.awaitPublished();

            // then
            assertThat(Files.readAttributes(file(REQUESTS + "total"), "unix:ino"))
                    .isNotEqualTo(before);
            assertThat(Files.readAttributes(file("neuron0/neuron_core0/stats/status/success/total"), "unix:ino"))
                    .isEqualTo(otherBefore);
        }

        @Test
        void modificationTimeStaysWhenTheValueChanges() throws IOException {
            host.directory();
            Object before = Files.getLastModifiedTime(file(REQUESTS + "total"));

            // when
            host.openProcess(host.core(CORE));
            host.awaitPublished();

            // then
            assertThat(content(REQUESTS + "total")).isEqualTo("2\n");
            assertThat(Files.getLastModifiedTime(file(REQUESTS + "total"))).isEqualTo(before);
        }

        @Test
        void registersChangeWithTheClockAlone() {
            ClockFixture clock = new ClockFixture("2026-11-21T09:00:00Z");
            host.close();
            host = FakeNeuronHost.builder().clock(clock).start();
            host.directory();

            // when
            clock.advance(Duration.ofMinutes(2));

            // then
            await().untilAsserted(() ->
                    assertThat(content("neuron0/stats/power/utilization")).startsWith("POWER_STATUS_VALID"));
        }

        @Test
        void processDisappearsAfterItsCountersArePublished() throws IOException {
            Path processes = host.directory().resolve("proc");
            for (int times = 1; times <= 50; times++) {
                FakeProcess process = host.process("infer").pid(4711).init("1");
                process.execute(host.core(CORE));
                host.awaitPublished();

                // when
                process.kill();
                while (Files.exists(processes.resolve("4711"))) {
                    Thread.onSpinWait();
                }

                // then
                assertThat(content(CORE + "/stats/status/success/total")).isEqualTo(times + "\n");
            }
        }

        @Test
        void newProcessReplacesEndedOneOfTheSamePid() throws IOException {
            restart("inf2.24xlarge", "driver-2.30");
            Path descriptor = host.directory().resolve("proc/4711/fd/3");
            for (int times = 0; times < 50; times++) {
                int core = times % 12;
                // when: both happen before a file is published
                host.process("first").pid(4711).init("11").close();
                FakeProcess second = host.process("second").pid(4711).init(Integer.toString(core));
                host.awaitPublished();

                // then
                assertThat(Files.readSymbolicLink(descriptor)).hasToString("/dev/neuron" + core / 2);
                assertThat(host.directory().resolve("proc/4711/comm")).hasContent("second\n");
                second.close();
            }
        }

        @Test
        void filesShowContentFaultsButNotReadErrors() throws IOException {
            host.directory();
            FakeFault garbage = host.device(0).fault(Fault.garbage("core_count", "eight"));
            FakeFault empty = host.fault(Fault.empty("/sys/./class/neuron_device/neuron0/./connected_devices"));
            FakeFault stuck = host.core(CORE).fault(Fault.stuck("stats/status/success/total"));
            host.core(CORE).fault(Fault.statusRises("success", 1));
            host.device(0).fault(Fault.errno("info/serial_number", Errno.EIO));

            // when
            host.awaitPublished();

            // then
            assertThat(content("neuron0/core_count")).isEqualTo("eight");
            assertThat(content("neuron0/connected_devices")).isEmpty();
            assertThat(content(CORE + "/stats/status/success/total")).isEqualTo("0\n");
            assertThat(content("neuron0/info/serial_number")).hasSize(17);

            // when
            garbage.close();
            empty.close();
            stuck.close();
            host.awaitPublished();

            // then
            assertThat(content("neuron0/core_count")).isEqualTo("2");
            assertThat(content("neuron0/connected_devices")).isEqualTo("\n");
            assertThat(content(CORE + "/stats/status/success/total")).isEqualTo("1\n");
        }

        @Test
        void readersNeverSeeEmptyOrTornContent() throws InterruptedException {
            // given: a reader that opens and reads as fast as it can, while digits come and go
            Path total = file(CORE + "/stats/memory_usage/device_mem/tensors/total");
            AtomicBoolean stop = new AtomicBoolean();
            AtomicReference<String> torn = new AtomicReference<>();
            Set<String> legal = Set.of("0\n", "4096\n", "1003520\n");
            Thread reader = new Thread(() -> {
                while (!stop.get()) {
                    try {
                        String content = Files.readString(total);
                        if (!legal.contains(content)) {
                            torn.set(content);
                        }
                    } catch (IOException e) {
                        torn.set(e.toString());
                    }
                }
            });
            reader.start();
            FakeProcess process = host.openProcess(host.core(CORE));

            // when
            for (int i = 0; i < 100; i++) {
                FakeAllocation small = process.allocate(host.core(CORE), "tensors", 4096);
                host.awaitPublished();
                process.free(small);
                FakeAllocation large = process.allocate(host.core(CORE), "tensors", 1_000_000);
                host.awaitPublished();
                process.free(large);
                host.awaitPublished();
            }
            stop.set(true);
            reader.join();

            // then
            assertThat(torn.get()).isNull();
        }
    }

    @Nested
    class WritesOfOthers {

        @Test
        void doNotClearLaterGrowth() throws IOException {
            String tensors = CORE + "/stats/memory_usage/device_mem/tensors/";
            host.directory();
            FakeProcess process = host.openProcess(host.core(CORE));
            for (int round = 1; round <= 400; round++) {
                // when: now and then, a notification of the watch comes in between
                Files.writeString(file(tensors + "peak"), "0");
                process.allocate(host.core(CORE), "tensors", 4096);

                // then
                String total = 4096 * round + "\n";
                assertThat(HostFixture.read(host, tensors + "peak")).isEqualTo(total);
                if (round % 2 == 0) {
                    host.awaitPublished();
                    assertThat(HostFixture.read(host, tensors + "peak")).isEqualTo(total);
                    assertThat(content(tensors + "peak")).isEqualTo(total);
                }
            }
        }

        @ParameterizedTest
        @CsvSource({
            "neuron0/info/architecture/arch_type",
            "neuron0/core_count",
            "neuron0/stats/hardware/mem_ecc_uncorrected"
        })
        void areUndoneInFilesThatIgnoreThem(String path) throws IOException {
            String before = content(path);
            String shape = describe(file(path));

            // when
            Files.setPosixFilePermissions(file(path), WRITABLE);
            Files.writeString(file(path), "something else\n");

            // then
            awaitContent(path, before);
            assertThat(describe(file(path))).isEqualTo(shape);
        }

        @Test
        void areUndoneWhenFileIsOnlyEmptied() throws IOException {
            Files.writeString(file(REQUESTS + "total"), "");

            awaitContent(REQUESTS + "total", "1\n");
        }

        @Test
        void clearTheCounterThoughTheWriterIsSlow() throws IOException {
            // given: emptied, as a shell does before the program that writes has started
            try (var writer = Files.newOutputStream(file(REQUESTS + "total"))) {
                // when: it takes so long that the file is filled again
                awaitContent(REQUESTS + "total", "1\n");
                writer.write('7');
            }

            // then
            awaitContent(REQUESTS + "total", "0\n");
        }

        @Test
        void deletedOrReplacedFileIsRestored() throws IOException {
            Path precious = Files.writeString(temporary.resolve("precious"), "precious");
            Files.delete(file(REQUESTS + "total"));
            Path link = Files.createSymbolicLink(temporary.resolve("link"), precious);
            Files.move(link, file(REQUESTS + "present"), StandardCopyOption.REPLACE_EXISTING);

            awaitContent(REQUESTS + "total", "1\n");
            awaitContent(REQUESTS + "present", "1\n");
            assertThat(Files.isSymbolicLink(file(REQUESTS + "present"))).isFalse();
            assertThat(precious).hasContent("precious");
        }

        @Test
        void fileReplacedByADirectoryIsRestored() throws IOException {
            // given
            Path precious = Files.writeString(temporary.resolve("precious"), "precious");
            Path directory = Files.createDirectory(temporary.resolve("directory"));
            Files.createSymbolicLink(directory.resolve("link"), precious);
            Path total = file(REQUESTS + "total");

            // when: as often as it takes to come before the deleted file is put back
            await().ignoreExceptionsInstanceOf(FileSystemException.class).until(() -> {
                Files.delete(total);
                Files.move(directory, total);
                return true;
            });

            // then
            await().until(() -> Files.isRegularFile(total));
            assertThat(content(REQUESTS + "total")).isEqualTo("1\n");
            assertThat(precious).hasContent("precious");
        }

        @Test
        void deletedFileIsRestoredWhenItsDirectoryReturns() throws IOException {
            // given: a file that is deleted while its directory is somewhere else
            Path counter = file(REQUESTS);
            Path moved = temporary.resolve("moved");
            Files.move(counter, moved);
            Files.delete(moved.resolve("total"));
            await().until(() -> host.journal().stream()
                    .anyMatch(entry -> entry.contains("reset_req_count/total cannot be published")));
            assertThat(host.journal()).noneMatch(entry -> entry.contains("put back"));

            // when
            Files.move(moved, counter);

            // then
            await().until(() -> Files.exists(file(REQUESTS + "total")));
            assertThat(content(REQUESTS + "total")).isEqualTo("1\n");
            await().until(() -> host.journal().stream()
                    .anyMatch(
                            entry -> entry.contains("reset_req_count/total was deleted by another program; put back")));
        }

        @Test
        void linkReplacingACounterDirectoryIsNotFollowed() throws IOException {
            // given
            Path precious = Files.createDirectory(temporary.resolve("precious"));
            Files.writeString(precious.resolve("total"), "precious");
            Path counter = file(CORE + "/stats/other_info/reset_req_count");
            Files.move(counter, temporary.resolve("moved"));
            Files.createSymbolicLink(counter, precious);

            // when
            host.openProcess(host.core(CORE));

            // then
            await().until(() -> host.journal().stream().anyMatch(entry -> entry.contains("replaced by a link")));
            assertThat(precious.resolve("total")).hasContent("precious");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"proc", "dev", "sys/class/neuron_device", "sys/devices/virtual/neuron_device", ".publishing"
                })
        void linkReplacingAChangingDirectoryIsNotFollowed(String directory) throws IOException {
            // given
            restart("inf2.24xlarge", "driver-2.30");
            Path precious = Files.createDirectory(temporary.resolve("precious"));
            Files.createDirectory(precious.resolve("directory"));
            Files.writeString(precious.resolve("directory/file"), "precious");
            Files.writeString(precious.resolve("neuron3"), "precious");
            Map<String, String> before = shape(precious);
            Path replaced = host.directory().resolve(directory);
            Files.move(replaced, temporary.resolve("moved"));
            Files.createSymbolicLink(replaced, precious);

            // when
            FakeProcess process = host.openProcess(host.core(CORE));
            host.device(3).remove();
            host.awaitPublished();
            host.device(3).restore();
            host.awaitPublished();

            // then
            assertThat(shape(precious)).isEqualTo(before);
            assertThat(host.journal()).anyMatch(entry -> entry.contains(replaced + " was replaced by a link"));

            // and when
            Files.delete(replaced);
            Files.move(temporary.resolve("moved"), replaced);

            // then
            await().untilAsserted(() -> assertThat(host.directory().resolve("proc/" + process.pid() + "/comm"))
                    .exists());
            await().untilAsserted(() -> assertThat(file("neuron3/core_count")).exists());
            assertThat(shape(precious)).isEqualTo(before);
        }

        @Test
        void foreignEntriesInChangingDirectoriesAreLeftAlone() throws IOException {
            // given
            restart("inf2.24xlarge", "driver-2.30");
            Path root = host.directory();
            List<Path> mine = List.of(
                    root.resolve("proc/self"),
                    root.resolve("dev/neuron99"),
                    root.resolve("sys/class/neuron_device/mine"));
            for (Path directory : mine) {
                Files.createDirectory(directory);
                Files.writeString(directory.resolve("file"), "precious");
            }

            // when
            host.openProcess(host.core(CORE)).kill();
            host.device(3).remove();
            host.awaitPublished();

            // then
            assertThat(root.resolve("dev/neuron3")).doesNotExist();
            assertThat(mine)
                    .allSatisfy(
                            directory -> assertThat(directory.resolve("file")).hasContent("precious"));
        }

        @Test
        void writeToReadOnlyFileDoesNotReachTheTree() throws IOException {
            Files.setPosixFilePermissions(file("neuron0/core_count"), WRITABLE);
            Files.writeString(file("neuron0/core_count"), "99");

            assertThat(HostFixture.read(host, "neuron0/core_count")).isEqualTo("2");
            awaitContent("neuron0/core_count", "2");
            await().untilAsserted(() -> assertThat(host.journal())
                    .anyMatch(entry -> entry.contains("core_count was written by another program")));
        }
    }

    /** Tests of tables that other programs keep under the root, such as a table of leases. */
    @Nested
    class FoldersOfOthers {

        private static final int REWRITES = 500;

        @Test
        void areUndisturbedWhileTheHostPublishes() throws Exception {
            // given
            restart("inf2.24xlarge", "driver-2.30");
            Path folder = Files.createDirectories(host.directory().resolve("tmp/neuron-test-leases"));
            Path table = folder.resolve("table");
            AtomicInteger rewritten = new AtomicInteger();
            AtomicReference<Throwable> disturbed = new AtomicReference<>();
            Thread owner = new Thread(() -> {
                try (FileChannel channel = FileChannel.open(table, Set.of(CREATE_NEW, READ, WRITE));
                        FileLock lock = channel.lock()) {
                    Object file = Files.readAttributes(table, BasicFileAttributes.class)
                            .fileKey();
                    while (rewritten.get() < REWRITES) {
                        String record = "lease " + rewritten.incrementAndGet();
                        channel.write(ByteBuffer.wrap(record.getBytes(StandardCharsets.UTF_8)), 0);
                        Path waiting = Files.writeString(folder.resolve("waiting"), record);
                        assertThat(table).hasContent(record);
                        assertThat(waiting).hasContent(record);
                        Files.delete(waiting);
                    }
                    assertThat(lock.isValid()).isTrue();
                    assertThat(Files.readAttributes(table, BasicFileAttributes.class)
                                    .fileKey())
                            .isEqualTo(file);
                } catch (IOException | AssertionError e) {
                    disturbed.set(e);
                }
            });
            owner.start();

            // when: everything that lets the host add, replace and discard files
            int times = 0;
            while (owner.isAlive()) {
                times++;
                FakeProcess process = host.process("infer").pid(4711).init("1");
                process.execute(host.core(CORE));
                process.close();
                host.device(3).remove();
                host.device(3).restore();
                host.awaitPublished();
            }

            // then
            assertThat(disturbed.get()).isNull();
            assertThat(table).hasContent("lease " + REWRITES);
            assertThat(content(CORE + "/stats/status/success/total")).isEqualTo(times + "\n");
            assertThat(host.journal()).noneMatch(entry -> entry.contains("neuron-test-leases"));

            // and when
            host.close();

            // then
            assertThat(temporary).isEmptyDirectory();
        }
    }

    @Nested
    class FromTheShell {

        private String run(Path environment, String counter) throws Exception {
            Path script = Path.of(DirectoryIT.class.getResource("outside.sh").toURI());
            Process process = new ProcessBuilder("sh", script.toString(), environment.toString(), counter)
                    .directory(temporary.toFile())
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        }

        @Test
        void environmentMatchesTheExportsOfEnvSh() throws Exception {
            Map<String, String> environment = host.environment();
            String script =
                    ". \"$1\" && printf '%s\\n' \"$NEURON_FAKE_ROOT\" \"$PATH\" \"$LD_LIBRARY_PATH\" \"$PYTHONPATH\"";
            Process shell = new ProcessBuilder(
                            "sh",
                            "-c",
                            script,
                            "sh",
                            host.directory().resolve("env.sh").toString())
                    .redirectErrorStream(true)
                    .start();

            assertThat(shell.inputReader().lines())
                    .containsExactly(
                            host.directory().toString(),
                            environment.get("PATH"),
                            environment.get("LD_LIBRARY_PATH"),
                            environment.get("PYTHONPATH"));
            assertThat(environment)
                    .hasSize(4)
                    .containsEntry("NEURON_FAKE_ROOT", host.directory().toString());
            assertThat(host.controlSocket()).exists();
        }

        @Test
        void rootNameMayHaveShellSpecialCharacters() throws Exception {
            Path root = temporary.resolve("it's a $HOME; `x` \"y\"");
            try (FakeNeuronHost odd = FakeNeuronHost.builder().root(root).start()) {
                assertThat(run(odd.directory().resolve("env.sh"), CORE + "/stats/other_info/reset_req_count"))
                        .startsWith("before 1 1\nafter 0 ")
                        .contains(root.toRealPath().toString());
            }
        }
    }
}
