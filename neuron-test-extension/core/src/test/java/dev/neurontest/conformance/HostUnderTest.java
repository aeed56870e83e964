package dev.neurontest.conformance;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.conformance.Facts.Instance;
import dev.neurontest.conformance.Facts.Layout;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeDevice;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * One view of a host. Every view declares its missing abilities. A case that needs such an ability is skipped with the
 * reason, after a cheap check that the difference is real.
 */
abstract class HostUnderTest implements AutoCloseable {

    private static final String PLATFORM = System.getProperty("neuron.test.platform", "");
    private static final List<String> TYPES = List.of("inf2.24xlarge", "trn1.2xlarge", "trn2.3xlarge");
    // File views add behavior between the driver and a program, not other files: those are the same in process.
    private static final List<String> ONE_DEVICE = List.of("trn1.2xlarge");
    private static final List<String> OTHER_TYPES = List.of("inf2.24xlarge", "trn2.3xlarge");
    private static final List<String> NEWEST = List.of("driver-2.30");
    // One machine with files of every kind covers a mount or a recording, for each way in which drivers notify. Another
    // one covers the distinction of devices.
    private static final List<String> SMALL = List.of("trn2.3xlarge");
    private static final List<String> KINDS_OF_DRIVER = List.of("driver-2.x", "driver-2.29", "driver-2.30");
    private static final List<String> MANY_DEVICES = List.of("inf2.24xlarge");
    // The place of a file makes no difference to a view; the layout that moves most files represents all.
    private static final List<String> MOVED_MOST = List.of("moved-deeper");

    /** Returns the host of {@code neuron.test.platform}, or every view of fakes. */
    static Stream<HostUnderTest> all() {
        if (PLATFORM.startsWith("real") || PLATFORM.startsWith("root:")) {
            return Stream.of(new GivenHost(PLATFORM));
        }
        return Stream.of(
                        TYPES.stream()
                                .flatMap(type -> each(List.of(type), FakeNeuronHost.layouts(type)))
                                .map(at -> at.as(FakeHost.InProcess::new)),
                        each(SMALL, FakeNeuronHost.inventedLayouts()).map(at -> at.as(FakeHost.InProcess::new)),
                        each(MANY_DEVICES, MOVED_MOST).map(at -> at.as(FakeHost.InProcess::new)),
                        each(ONE_DEVICE, MOVED_MOST).map(at -> at.as(FakeHost.Directory::new)),
                        each(ONE_DEVICE, FakeNeuronHost.layouts()).map(at -> at.as(FakeHost.Directory::new)),
                        each(OTHER_TYPES, NEWEST).map(at -> at.as(FakeHost.Directory::new)),
                        Stream.of(each(SMALL, KINDS_OF_DRIVER), each(SMALL, MOVED_MOST), each(MANY_DEVICES, NEWEST))
                                .flatMap(Function.identity())
                                .flatMap(at -> Stream.of(at.as(FakeHost.Fuse::new), at.as(FakeHost.Replay::new))))
                .flatMap(Function.identity());
    }

    private record TypeAndLayout(String type, String layout) {

        HostUnderTest as(BiFunction<String, String, HostUnderTest> view) {
            return view.apply(type, layout);
        }
    }

    private static Stream<TypeAndLayout> each(List<String> types, List<String> layouts) {
        return types.stream().flatMap(type -> layouts.stream().map(layout -> new TypeAndLayout(type, layout)));
    }

    interface Check {
        void run() throws Exception;
    }

    private final Map<String, Facts.DriverFile> files = new HashMap<>();
    private final Set<Ability> lacks = EnumSet.noneOf(Ability.class);

    /**
     * Creates a host.
     *
     * @param view the view, which declares its missing abilities
     */
    HostUnderTest(View view) {
        lacks.addAll(view.lacks());
    }

    abstract void open() throws IOException;

    @Override
    public abstract void close();

    /** Returns the tree that the extension reads. */
    abstract HostTree tree();

    abstract Instance type();

    abstract Layout layout();

    abstract FakeNeuronHost fake();

    abstract MovedClock clock();

    abstract Access access();

    /** Waits until all scripted changes are in the files. */
    abstract void published();

    final void lacks(Ability ability) {
        lacks.add(ability);
    }

    final void has(Ability ability) {
        lacks.remove(ability);
    }

    final boolean can(Ability ability) {
        return !lacks.contains(ability);
    }

    /** Skips the case unless the host has all needed abilities. */
    final void needs(Ability... abilities) {
        for (Ability ability : abilities) {
            Assumptions.assumeTrue(can(ability), () -> this + ": " + ability.lack());
        }
    }

    /** Skips the case if the host lacks the ability, after verifying the difference. */
    final void needs(Ability ability, Check difference) throws Exception {
        if (!can(ability) && can(Ability.SCRIPT)) {
            difference.run();
        }
        needs(ability);
    }

    // ---- places

    /** Returns the place of a file by its name in driver 2.30. */
    final String path(Object deviceOrCore, String file) {
        String path = deviceOrCore + "/" + file;
        return Facts.DEVICES + "/" + (can(Ability.KNOWN_LAYOUT) ? layout().place(path) : path);
    }

    /** Returns the last device, which has a two-digit number on most hosts. */
    final FakeDevice device() {
        List<FakeDevice> devices = fake().devices();
        return devices.get(devices.size() - 1);
    }

    final FakeCore core() {
        List<FakeCore> cores = device().cores();
        return cores.get(cores.size() - 1);
    }

    final NeuronHost discover() {
        return NeuronHost.discover(tree());
    }

    /** Returns every file of the driver, by its path below the root. */
    final Map<String, Facts.DriverFile> files() {
        if (files.isEmpty()) {
            layout().files(type()).forEach((path, file) -> files.put(Facts.DEVICES + "/" + path, file));
        }
        return files;
    }

    final boolean has(String path) {
        return files().containsKey(path);
    }

    // ---- reading and writing

    final String read(String path) throws IOException {
        return new String(tree().read(path), StandardCharsets.UTF_8);
    }

    /** Writes a file, and skips the case where writing is not allowed, even if the case does not require it itself. */
    final void write(String path, String text) throws IOException {
        needs(Ability.WRITE);
        tree().write(path, text.getBytes(StandardCharsets.UTF_8));
    }

    final long total(String counter) throws IOException {
        return Long.parseUnsignedLong(read(counter + "/total").strip());
    }

    /** Returns the values of a counter of memory: total/present/peak. */
    final String fields(String counter) throws IOException {
        return read(counter + "/total").strip() + "/"
                + read(counter + "/present").strip() + "/"
                + read(counter + "/peak").strip();
    }

    interface Reading {
        String read() throws IOException;
    }

    /** Verifies that a scripted change is visible as soon as it is published. */
    final void shows(String expected, Reading reading) throws IOException {
        published();
        assertThat(reading.read()).isEqualTo(expected);
    }

    /** Verifies that a write takes effect for the next read, or after a while on a view without that ability. */
    final void comesToShow(String expected, Reading reading) throws IOException {
        if (can(Ability.READ_YOUR_WRITE)) {
            assertThat(reading.read()).isEqualTo(expected);
        } else {
            await().pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .untilAsserted(() -> assertThat(reading.read()).isEqualTo(expected));
        }
    }

    /** Writes, and waits until the field has been cleared. */
    final void clear(String file) throws IOException {
        write(file, "1");
        comesToShow("0\n", () -> read(file));
    }

    /** Returns the length of the fake's journal. */
    final int journalMark() {
        return fake().journal().size();
    }

    /** Waits until the fake's journal contains a text after a mark. */
    final void isJournalled(int mark, String text) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> assertThat(fake().journal().stream().skip(mark))
                        .anySatisfy(entry -> assertThat(entry).contains(text)));
    }
}
