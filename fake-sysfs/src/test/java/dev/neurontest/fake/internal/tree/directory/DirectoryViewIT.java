package dev.neurontest.fake.internal.tree.directory;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeReader;
import dev.neurontest.fake.internal.driver.Allocation;
import dev.neurontest.fake.internal.driver.Core;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.DeviceCategory;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.ExecutionCounter;
import dev.neurontest.fake.internal.driver.Field;
import dev.neurontest.fake.internal.driver.JournalEntry;
import dev.neurontest.fake.internal.driver.RuntimeProcess;
import dev.neurontest.fake.internal.driver.StoredCounter;
import dev.neurontest.fake.internal.driver.instance.InstanceType;
import dev.neurontest.fake.internal.tree.InProcessTree;
import dev.neurontest.fake.internal.tree.layout.Layout;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryViewIT {

    private static final String COUNTER =
            "sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/other_info/" + "reset_req_count/total";

    @TempDir
    private Path temporary;

    private final Layout layout = Layout.named("driver-2.30");
    private final Driver driver =
            new Driver(InstanceType.named("trn1.2xlarge"), layout.rules(2), Clock.systemUTC(), Duration.ofMillis(10));
    private final InProcessTree tree = new InProcessTree(driver, layout, FakeReader.ROOT);

    @Test
    void doesNotRescanWhenWatchesAreAvailable() throws IOException {
        try (DirectoryView view = DirectoryView.open(tree, driver, folder(), Set.of())) {
            assertThat(view.rescans()).isFalse();
        }
    }

    @Test
    void rescansWithoutAWatchService() throws IOException {
        try (DirectoryView view = DirectoryView.open(tree, driver, folder(), Set.of(), () -> {
            throw new IOException("User limit of inotify instances reached");
        })) {
            assertRescans(view, "instances");
        }
    }

    @Test
    void rescansWhenWatchesRunOut() throws IOException {
        try (DirectoryView view = DirectoryView.open(tree, driver, folder(), Set.of(), new FewWatchesFixture())) {
            assertRescans(view, "User limit of inotify watches reached");
        }
    }

    @Test
    void writesBeforeWatchingAreNoticed() throws IOException {
        // given: files can be read and written before they are watched
        AtomicBoolean written = new AtomicBoolean();
        WriteWatch.Source late = new WriteWatch.Source() {
            @Override
            public WatchService open() throws IOException {
                return FileSystems.getDefault().newWatchService();
            }

            @Override
            public void register(Path directory, WatchService service) throws IOException {
                await().untilTrue(written);
                WriteWatch.Source.super.register(directory, service);
            }
        };
        try (DirectoryView view = DirectoryView.open(tree, driver, folder(), Set.of(), late)) {
            // when
            Files.writeString(view.root().resolve(COUNTER), "1");
            written.set(true);

            // then
            await().untilAsserted(() -> assertThat(view.root().resolve(COUNTER)).hasContent("0\n"));
        }
    }

    @Test
    void moduleReferencesDropAfterCountsArePublished() throws Exception {
        try (DirectoryView view = DirectoryView.open(tree, driver, folder(), Set.of())) {
            Path references = view.root().resolve("sys/module/neuron/refcnt");
            Path successes = view.root()
                    .resolve("sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/success/total");
            Core core = driver.devices().get(0).cores().get(1);
            assertThat(references).hasContent("0");
            for (int round = 1; round <= 50; round++) {
                // when
                RuntimeProcess process = driver.open("trainer", List.of(core));

                // then: nothing is counted before they are there
                assertThat(references).hasContent("2");

                // when
                process.execute(core, ExecutionCounter.SUCCESS, true, 1, 0, 0);
                process.end(round % 2 == 0);

                // then
                await().until(() -> Files.readString(references).equals("0\n"));
                assertThat(successes).hasContent(Integer.toString(round));
            }
        }
    }

    @Test
    void readersSeeOnlyCountedNumbers() throws Exception {
        try (DirectoryView view = DirectoryView.open(tree, driver, folder(), Set.of())) {
            Path successes = view.root()
                    .resolve("sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/success/total");
            Core core = driver.devices().get(0).cores().get(1);
            RuntimeProcess process = driver.open("trainer", List.of(core));
            AtomicLong counted = new AtomicLong();
            CompletableFuture<Long> reader = CompletableFuture.supplyAsync(() -> lastOf(successes, counted));
            Set<Object> files = new HashSet<>();
            int times = 3000;

            // when
            for (int i = 0; i < times; i++) {
                counted.incrementAndGet();
                process.execute(core, ExecutionCounter.SUCCESS, true, 1, 0, 0);
                view.awaitPublished();
                files.add(Files.readAttributes(successes, BasicFileAttributes.class)
                        .fileKey());
            }

            // then: a new file for each ten numbers
            assertThat(reader.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(times);
            assertThat(files).hasSizeBetween(times / 10, times / 5);
        }
    }

    /**
     * Reads until the file has 3000. Verifies that no number is read before it is counted, and that no number
     * decreases.
     */
    private static long lastOf(Path file, AtomicLong counted) {
        long last = 0;
        try {
            while (last < 3000) {
                String text = Files.readString(file);
                long number = Long.parseLong(text.strip());
                if (!text.equals(number + "\n") || number < last || number > counted.get()) {
                    throw new AssertionError("after " + last + " of " + counted + ": " + text);
                }
                last = number;
            }
            return last;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void foreignFoldersAreNotWatched() throws Exception {
        // given: the system notifies of events in these directories, and of no others
        List<Path> watched = new CopyOnWriteArrayList<>();
        WriteWatch.Source source = new WriteWatch.Source() {
            @Override
            public WatchService open() throws IOException {
                return FileSystems.getDefault().newWatchService();
            }

            @Override
            public void register(Path directory, WatchService service) throws IOException {
                WriteWatch.Source.super.register(directory, service);
                watched.add(directory);
            }
        };
        try (DirectoryView view = DirectoryView.open(tree, driver, folder(), Set.of(), source)) {
            Files.createDirectories(view.root().resolve("tmp/neuron-test-leases"));

            // when
            Device device = driver.devices().get(0);
            driver.open("trainer", device.cores()).end(true);
            device.remove();
            device.restore();
            view.awaitPublished();

            // then: the folders are watched soon, one by one
            Path counter = view.root().resolve(COUNTER).getParent();
            await().until(() -> watched.contains(counter));
            assertThat(watched)
                    .allMatch(directory -> directory.startsWith(view.root().resolve("sys"))
                            || directory.equals(view.root().resolve("dev")));
        }
    }

    /** Tests of writes without a notification of the system, which never comes here. */
    @Nested
    class UnnotifiedWrites {

        private final Core core = driver.devices().get(0).core(1);
        private final Path counter = Path.of("sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats");
        private final WriteWatch.Source silent = new WriteWatch.Source() {
            @Override
            public WatchService open() throws IOException {
                return FileSystems.getDefault().newWatchService();
            }

            @Override
            public void register(Path directory, WatchService service) {}
        };
        private DirectoryView view;

        @BeforeEach
        void open() throws IOException {
            view = DirectoryView.open(tree, driver, folder(), Set.of(), silent);
        }

        @AfterEach
        void close() {
            view.close();
        }

        private Path file(String path) {
            return view.root().resolve(counter).resolve(path);
        }

        private void assertShows(String path, String number) throws Exception {
            view.awaitPublished();
            assertThat(file(path)).as(path).hasContent(number + "\n");
            assertThat(tree.read(counter.resolve(path).toString())).asString().isEqualTo(number + "\n");
        }

        @Test
        void areAppliedBeforeMemoryIsAllocatedOrFreed() throws Exception {
            RuntimeProcess process = driver.open("trainer", List.of(core));
            Allocation first = process.allocate(core, DeviceCategory.TENSORS, 8192);
            view.awaitPublished();

            // when
            Files.writeString(file("memory_usage/device_mem/tensors/peak"), "0");
            Files.writeString(file("memory_usage/device_mem/total"), "0");
            process.allocate(core, DeviceCategory.TENSORS, 4096);

            // then
            assertShows("memory_usage/device_mem/tensors/total", "12288");
            assertShows("memory_usage/device_mem/tensors/present", "4096");
            assertShows("memory_usage/device_mem/tensors/peak", "12288");
            assertShows("memory_usage/device_mem/total", "4096");
            assertShows("memory_usage/device_mem/peak", "8192");

            // when
            Files.writeString(file("memory_usage/device_mem/tensors/peak"), "0");
            Files.writeString(file("memory_usage/device_mem/tensors/present"), "0");
            process.free(first);

            // then
            assertShows("memory_usage/device_mem/tensors/total", "4096");
            assertShows("memory_usage/device_mem/tensors/present", "8192");
            assertShows("memory_usage/device_mem/tensors/peak", "0");
        }

        @Test
        void areAppliedBeforeExecutionsAndResetsAreCounted() throws Exception {
            RuntimeProcess process = driver.open("trainer", List.of(core));
            process.execute(core, ExecutionCounter.SUCCESS, true, 5, 10, 10);
            view.awaitPublished();

            // when
            Files.writeString(file("status/success/total"), "0");
            Files.writeString(file("other_info/inference_count/total"), "0");
            process.execute(core, ExecutionCounter.SUCCESS, true, 1, 10, 10);

            // then
            assertShows("status/success/total", "1");
            assertShows("other_info/inference_count/total", "1");
            assertShows("other_info/flop_count/total", "120");

            // when
            process.end(false);
            view.awaitPublished();
            Files.writeString(file("other_info/reset_req_count/total"), "0");
            driver.open("trainer", List.of(core));

            // then
            assertShows("other_info/reset_req_count/total", "1");
        }

        @Test
        void areEachAppliedOnce() throws Exception {
            RuntimeProcess process = driver.open("trainer", List.of(core));
            String tensors = "memory_usage/device_mem/tensors/";
            for (int round = 0; round < 40; round++) {
                // when
                Files.writeString(file(tensors + "total"), "0");
                process.allocate(core, DeviceCategory.TENSORS, 4096);
                process.allocate(core, DeviceCategory.TENSORS, 4096);

                // then
                assertShows(tensors + "total", "8192");
            }
        }

        @Test
        void areAppliedBetweenInPlaceChanges() throws Exception {
            RuntimeProcess process = driver.open("trainer", List.of(core));
            for (int round = 0; round < 40; round++) {
                // when: the last changes are in place
                for (int number = 1; number < 5; number++) {
                    process.execute(core, ExecutionCounter.SUCCESS, true, 1, 0, 0);
                    assertShows("status/success/total", Integer.toString(number));
                }
                Files.writeString(file("status/success/total"), "x");
                process.execute(core, ExecutionCounter.SUCCESS, true, 1, 0, 0);

                // then
                assertShows("status/success/total", "1");

                // when
                Files.writeString(file("status/success/total"), "0");
                core.counter(ExecutionCounter.SUCCESS).raise(0);

                // then
                assertShows("status/success/total", "0");
            }
        }

        @Test
        void fileReplacedByACopyIsStillUpdated() throws Exception {
            // given a file that is changed in place
            RuntimeProcess process = driver.open("trainer", List.of(core));
            Path total = file("status/success/total");
            for (int number = 1; number <= 3; number++) {
                process.execute(core, ExecutionCounter.SUCCESS, true, 1, 0, 0);
                view.awaitPublished();
            }

            // when another has its name, its content and its time
            Path copy = Files.copy(total, temporary.resolve("copy"), StandardCopyOption.COPY_ATTRIBUTES);
            Files.move(copy, total, StandardCopyOption.REPLACE_EXISTING);
            process.execute(core, ExecutionCounter.SUCCESS, true, 1, 0, 0);

            // then
            assertShows("status/success/total", "4");
        }

        @Test
        void fileTruncatedBetweenChangesIsRestored() throws Exception {
            RuntimeProcess process = driver.open("trainer", List.of(core));
            Path total = file("status/success/total");
            for (int round = 0; round < 3; round++) {
                process.execute(core, ExecutionCounter.SUCCESS, true, 3, 0, 0);
                view.awaitPublished();
                process.execute(core, ExecutionCounter.SUCCESS, true, 1, 0, 0);
                view.awaitPublished();
                try (FileChannel emptied = FileChannel.open(total, StandardOpenOption.WRITE)) {
                    emptied.truncate(0);

                    // when
                    process.execute(core, ExecutionCounter.SUCCESS, true, 1, 0, 0);
                    view.awaitPublished();
                }

                // then
                String number = 5 * (round + 1) + "\n";
                await().until(() -> Files.readString(total).equals(number));
            }
        }

        @Test
        void areAppliedOnceTheirContentArrives() throws Exception {
            RuntimeProcess process = driver.open("trainer", List.of(core));
            StoredCounter tensors = core.deviceMemory(DeviceCategory.TENSORS);
            Path peak = file("memory_usage/device_mem/tensors/peak");

            // when: as often as it takes to write before the empty file is put back
            await().until(() -> {
                long highest = tensors.read(Field.TOTAL) + 8192;
                // The file is empty, as after a shell has redirected the output of a program that has not started yet.
                try (var writer = Files.newOutputStream(peak)) {
                    process.free(process.allocate(core, DeviceCategory.TENSORS, 8192));
                    assertThat(tensors.read(Field.PEAK)).isEqualTo(highest);
                    writer.write('0');
                }
                process.allocate(core, DeviceCategory.TENSORS, 4096);
                return tensors.read(Field.PEAK) < highest;
            });

            // then
            assertShows("memory_usage/device_mem/tensors/peak", Long.toString(tensors.read(Field.TOTAL)));
        }

        @Test
        void throughALinkAreIgnored() throws Exception {
            // given
            Path precious = Files.createDirectory(temporary.resolve("precious"));
            Files.writeString(precious.resolve("total"), "precious");
            Path tensors = file("memory_usage/device_mem/tensors");
            RuntimeProcess process = driver.open("trainer", List.of(core));
            process.allocate(core, DeviceCategory.TENSORS, 4096);
            view.awaitPublished();
            Files.move(tensors, temporary.resolve("moved"));
            Files.createSymbolicLink(tensors, precious);

            // when
            process.allocate(core, DeviceCategory.TENSORS, 4096);
            view.awaitPublished();

            // then
            assertThat(core.deviceMemory(DeviceCategory.TENSORS).read(Field.TOTAL))
                    .isEqualTo(8192);
            assertThat(precious.resolve("total")).hasContent("precious");
        }
    }

    private HostFolder folder() throws IOException {
        return HostFolder.claim(temporary.resolve("host"));
    }

    private void assertRescans(DirectoryView view, String reason) throws IOException {
        await().untilAsserted(
                        () -> assertThat(driver.journal().entries().stream().map(JournalEntry::toString))
                                .anySatisfy(entry -> assertThat(entry)
                                        .contains("no inotify watches left")
                                        .contains(reason)
                                        .contains(view.root().toString())
                                        .contains("max_user_watches")));
        assertThat(view.rescans()).isTrue();

        // when
        Files.writeString(view.root().resolve(COUNTER), "1");

        // then
        await().untilAsserted(() -> assertThat(view.root().resolve(COUNTER)).hasContent("0\n"));
    }

    @Test
    void nothingIsPublishedAfterClose() throws IOException {
        DirectoryView view = DirectoryView.open(tree, driver, folder(), Set.of());
        view.close();
        view.close();

        // when
        driver.devices().get(0).remove();

        // then
        assertThat(temporary).isEmptyDirectory();
        assertThatThrownBy(view::awaitPublished).isInstanceOf(IOException.class).hasMessageContaining("closed");
    }

    @Test
    void failedOpenLeavesNothingBehind() {
        assertThatThrownBy(() -> DirectoryView.open(tree, driver, folder(), Set.of(), () -> {
                    throw new IllegalStateException("no such service");
                }))
                .hasMessage("no such service");

        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void filesBlockedByTakenNamesAreCreatedLater() throws IOException {
        // given: the next names that files would be finished under are taken
        try (DirectoryView view = DirectoryView.open(tree, driver, folder(), Set.of())) {
            for (int name = 1; name <= 4; name++) {
                Files.createFile(view.root().resolve(".publishing/" + name));
            }

            // when
            long pid = driver.open("trainer", driver.devices().get(0).cores()).pid();

            // then
            await().untilAsserted(() ->
                    assertThat(view.root().resolve("proc/" + pid + "/comm")).hasContent("trainer\n"));
        }
    }

    @Test
    void isRefusedWhenTheJvmIsEnding() throws Exception {
        // given
        Process process = new ProcessBuilder(JvmCommand.program(
                        EndingJvmFixture.class, temporary.resolve("host").toString()))
                .redirectErrorStream(true)
                .start();

        // when
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        // then
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(output)
                .contains("the JVM is ending")
                .contains(temporary.resolve("host").toString());
        assertThat(temporary).isEmptyDirectory();
    }

    /** A program that creates the directory of a host while it ends. */
    static final class EndingJvmFixture {

        private EndingJvmFixture() {}

        public static void main(String[] arguments) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try (FakeNeuronHost host =
                        FakeNeuronHost.builder().root(Path.of(arguments[0])).start()) {
                    System.out.println(host.directory());
                } catch (UncheckedIOException e) {
                    System.out.println(e.getMessage());
                }
            }));
        }
    }

    /** A system with a watch service but few watches. */
    private static final class FewWatchesFixture implements WriteWatch.Source {

        private int left = 20;

        @Override
        public WatchService open() throws IOException {
            return FileSystems.getDefault().newWatchService();
        }

        @Override
        public void register(Path directory, WatchService service) throws IOException {
            if (left-- == 0) {
                throw new IOException("User limit of inotify watches reached");
            }
            WriteWatch.Source.super.register(directory, service);
        }
    }
}
