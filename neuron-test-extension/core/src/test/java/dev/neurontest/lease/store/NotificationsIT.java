package dev.neurontest.lease.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.host.FileTree;
import dev.neurontest.host.HostTree;
import dev.neurontest.host.NotificationSwitch;
import dev.neurontest.lease.LeaseObserver;
import dev.neurontest.lease.table.LeaseTable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The module's flag, on a copy of a host's files: what the tests read is what the last one wrote. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class NotificationsIT {

    private static final String ATTRIBUTE = "sys/devices/virtual/neuron_device/neuron0/info/notify_delay";

    @TempDir
    private Path folder;

    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private Path root;

    @BeforeEach
    void makeAHost() throws IOException {
        root = folder.resolve("host");
        new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1);
        Files.createDirectories(root.resolve(ATTRIBUTE).getParent());
        flag("-1");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : toClose) {
            each.close();
        }
    }

    private Path leases() {
        return root.resolve("leases");
    }

    private LeaseTable table() throws IOException {
        LeaseTable table = LeaseTable.builder(NeuronHost.discover(FileTree.at(root)))
                .directory(leases())
                .observer(new LeaseObserver() {
                    @Override
                    public void warned(String notice) {
                        warnings.add(notice);
                    }
                })
                .open();
        toClose.add(0, table);
        return table;
    }

    private String flag() throws IOException {
        return Files.readString(root.resolve(ATTRIBUTE)).strip();
    }

    private void flag(String value) throws IOException {
        Files.writeString(root.resolve(ATTRIBUTE), value + "\n");
    }

    @Test
    void areOnWhileHeldAndThenAsTheyWere() throws IOException {
        // given
        NotificationSwitch notifications = table().notifications();

        // when, then
        NotificationSwitch.Hold first = notifications.on();
        NotificationSwitch.Hold second = notifications.on();
        assertThat(flag()).isEqualTo("0");
        first.close();
        first.close();
        assertThat(flag()).isEqualTo("0");
        second.close();
        assertThat(flag()).isEqualTo("-1");
    }

    @Test
    void areSwitchedOffByTheLastOfAllWhoShareTheTable() throws IOException {
        // given
        NotificationSwitch.Hold one = table().notifications().on();
        NotificationSwitch.Hold other = table().notifications().on();

        // when, then
        one.close();
        assertThat(flag()).isEqualTo("0");
        other.close();
        assertThat(flag()).isEqualTo("-1");
    }

    @Test
    void stayOnWhereTheyWereOnBefore() throws IOException {
        // given
        flag("0");

        // when
        table().notifications().on().close();

        // then
        assertThat(flag()).isEqualTo("0");
    }

    @Test
    void areLetGoWhenTheTableIsClosed() throws IOException {
        // given
        LeaseTable table = table();
        NotificationSwitch.Hold forgotten = table.notifications().on();

        // when
        table.close();

        // then
        assertThat(flag()).isEqualTo("-1");
        forgotten.close();
        assertThat(flag()).isEqualTo("-1");
    }

    @Test
    void areHeldByAnInterruptedThreadToo() throws IOException {
        // given
        NotificationSwitch notifications = table().notifications();

        // when
        Thread.currentThread().interrupt();
        NotificationSwitch.Hold hold = notifications.on();
        String during = flag();
        hold.close();

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(during).isEqualTo("0");
        assertThat(flag()).isEqualTo("-1");
    }

    @Test
    void areSwitchedOffByTheNextJvmAfterACrash() throws Exception {
        // given
        Process jvm = jvmThatHoldsThem();
        assertThat(flag()).isEqualTo("0");
        table();
        assertThat(flag()).as("while it lives").isEqualTo("0");
        assertThat(warnings).isEmpty();

        // when
        jvm.destroyForcibly();
        assertThat(jvm.waitFor(30, TimeUnit.SECONDS)).isTrue();
        table();

        // then
        assertThat(flag()).isEqualTo("-1");
        assertThat(warnings)
                .filteredOn(warning -> warning.contains("notifications"))
                .singleElement()
                .satisfies(warning -> assertThat(warning)
                        .startsWith(
                                "The notifications of the driver were left on by a test JVM that ended meanwhile (jvm-"
                                        + jvm.pid())
                        .endsWith("); they are off again (" + root.toRealPath().resolve(ATTRIBUTE) + ")."));
    }

    @Test
    void areTakenOverFromAJvmThatCrashed() throws Exception {
        // given
        LeaseTable table = table();
        Process jvm = jvmThatHoldsThem();
        jvm.destroyForcibly();
        assertThat(jvm.waitFor(30, TimeUnit.SECONDS)).isTrue();

        // when
        NotificationSwitch.Hold hold = table.notifications().on();
        String during = flag();
        hold.close();

        // then
        assertThat(during).isEqualTo("0");
        assertThat(flag()).isEqualTo("-1");
    }

    @Test
    void refuseAPlantedFile() throws IOException {
        // given
        NotificationSwitch notifications = table().notifications();
        Path victim = Files.writeString(folder.resolve("victim"), "mine\n");
        Files.createSymbolicLink(leases().resolve("notifications"), victim);

        // when, then
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(notifications::on)
                .withMessageContaining("it is a link to " + victim);
        assertThat(victim).hasContent("mine");
        assertThat(flag()).isEqualTo("-1");
    }

    @Test
    void ignoreWhatMakesNoSenseInTheFileBesideTheTable() throws IOException {
        // given
        NotificationSwitch.Hold hold = table().notifications().on();
        Path file = leases().resolve("notifications");
        Files.write(file, "before 17\nholder ../../etc\nholder\nwhat\n".getBytes(UTF_8));
        flag("-1");

        // when
        hold.close();
        table();

        // then
        assertThat(flag()).isEqualTo("-1");
        assertThat(warnings).isEmpty();
    }

    @Test
    void areLeftAloneWhereTheFlagCannotBeWritten() throws IOException {
        // given
        Files.delete(root.resolve(ATTRIBUTE));
        NotificationSwitch notifications = table().notifications();

        // when, then
        assertThatExceptionOfType(IOException.class).isThrownBy(notifications::on);
        flag("0");
        notifications.on().close();
        assertThat(flag()).as("nothing is remembered of what failed").isEqualTo("0");
    }

    @Test
    void refuseWhereTheDriverIgnoresTheWrite() throws IOException {
        // given
        HostTree files = FileTree.at(root);
        HostTree ignoring = (HostTree) Proxy.newProxyInstance(
                HostTree.class.getClassLoader(), new Class<?>[] {HostTree.class}, (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("write") ? null : method.invoke(files, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
        LeaseTable table = LeaseTable.builder(NeuronHost.discover(ignoring))
                .directory(leases())
                .open();
        toClose.add(0, table);

        // when, then
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> table.notifications().on())
                .withMessageEndingWith(ATTRIBUTE + " still reads \"-1\" after \"0\" was written");
    }

    @Test
    void waitUntilTheHostTakesNoteOfAWrite() throws IOException {
        // given a host that shows for a moment what was written before
        HostTree files = FileTree.at(root);
        AtomicReference<byte[]> earlier = new AtomicReference<>();
        HostTree late = (HostTree) Proxy.newProxyInstance(
                HostTree.class.getClassLoader(), new Class<?>[] {HostTree.class}, (proxy, method, arguments) -> {
                    try {
                        if (method.getName().equals("write")) {
                            earlier.set(files.read((String) arguments[0]));
                        } else if (method.getName().equals("read") && arguments[0].equals(ATTRIBUTE)) {
                            byte[] stale = earlier.getAndSet(null);
                            return stale == null ? files.read(ATTRIBUTE) : stale;
                        }
                        return method.invoke(files, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
        LeaseTable table = LeaseTable.builder(NeuronHost.discover(late))
                .directory(leases())
                .open();
        toClose.add(0, table);

        // when
        table.notifications().on().close();

        // then
        assertThat(flag()).isEqualTo("-1");
    }

    private Process jvmThatHoldsThem() throws IOException, InterruptedException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        root.toString(),
                        leases().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        toClose.add(jvm::destroyForcibly);
        assertThat(jvm.getInputStream().read()).isEqualTo('h');
        return jvm;
    }

    static final class Holder {

        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            LeaseTable table = LeaseTable.builder(NeuronHost.discover(FileTree.at(Path.of(arguments[0]))))
                    .directory(Path.of(arguments[1]))
                    .open();
            table.notifications().on();
            System.out.print("h");
            System.out.flush();
            Thread.sleep(Long.MAX_VALUE);
        }
    }
}
