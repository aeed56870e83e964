package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.DEVICES;
import static dev.neurontest.fake.HostFixture.host;
import static dev.neurontest.fake.HostFixture.read;
import static dev.neurontest.fake.HostFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.internal.files.FakeEntry;
import dev.neurontest.fake.internal.files.FakeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FakeTreeTest {

    private final FakeNeuronHost host = host("trn1.32xlarge", "driver-2.x");
    private final FakeTree tree = host.tree();

    @AfterEach
    void close() {
        host.close();
    }

    @Test
    void linksInTheMiddleOfAPathAreFollowed() throws IOException {
        assertThat(tree.read("sys/class/neuron_device/neuron3/core_count"))
                .isEqualTo("2".getBytes(StandardCharsets.UTF_8));
        assertThat(tree.list("sys/class/neuron_device/neuron3/subsystem/neuron4/neuron_core0"))
                .containsExactlyInAnyOrder("info", "stats");
        assertThat(tree.read(DEVICES + "neuron3/neuron_core0/../core_count")).hasSize(1);
    }

    @Test
    void classDirectoryListsAttributesAndLinks() throws IOException {
        assertThat(tree.list("sys/class/neuron_device")).contains("neuron0", "neuron15", "node_id_2");
        assertThat(new String(tree.read("sys/class/neuron_device/server_id_4"), StandardCharsets.UTF_8))
                .isEqualTo("0000000000000000\n");
        assertThat(new String(tree.read("sys/class/neuron_device/ultraserver_mode"), StandardCharsets.UTF_8))
                .isEqualTo("\n");
    }

    private static String attributes(FakeNeuronHost host, String... names) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String name : names) {
            String text = new String(host.tree().read("sys/class/neuron_device/" + name), StandardCharsets.UTF_8);
            all.append(name).append('=').append(text.replace("\n", " "));
        }
        return all.toString().strip();
    }

    private static String ofUltraServer(FakeNeuronHost host) throws IOException {
        return attributes(host, "node_id_2", "node_id_4", "server_id_2", "server_id_4", "ultraserver_mode");
    }

    @ParameterizedTest
    @ValueSource(strings = {"driver-2.x", "driver-2.30"})
    void ultraServerAttributesShowTheElection(String layout) throws IOException {
        try (FakeNeuronHost server = host("trn2u.48xlarge", layout)) {
            String id = "8f1d2c3b4a596877";
            String none = "0000000000000000";
            String usual = ofUltraServer(server);
            assertThat(usual)
                    .isEqualTo("node_id_2=0 node_id_4=0 server_id_2=%s server_id_4=%s ultraserver_mode=1,3,4"
                            .formatted(id, id));

            server.elect(3, 4);
            assertThat(ofUltraServer(server))
                    .isEqualTo(usual.replace("_2=0", "_2=1").replace("_4=0", "_4=3"));
            server.elect(1, 2);
            assertThat(ofUltraServer(server))
                    .isEqualTo("node_id_2=1 node_id_4=-1 server_id_2=%s server_id_4=%s ultraserver_mode=3,4"
                            .formatted(id, none));
            server.runElection();
            assertThat(ofUltraServer(server))
                    .isEqualTo("node_id_2=busy node_id_4=busy server_id_2=%s server_id_4=%s ultraserver_mode=busy"
                            .formatted(none, none));
            server.failElection();
            assertThat(ofUltraServer(server))
                    .isEqualTo("node_id_2=-1 node_id_4=-1 server_id_2=%s server_id_4=%s ultraserver_mode=4"
                            .formatted(none, none));
        }
    }

    @Test
    void reservationAttributesShowTheElection() throws IOException {
        try (FakeNeuronHost server = host("trn2es.48xlarge", "driver-2.30")) {
            String[] names = {"node_id", "node_cnt", "reservation_id", "ultraserver_mode", "current_perf_profile"};
            server.elect(1, 2);
            assertThat(attributes(server, names))
                    .isEqualTo("node_id=1 node_cnt=2 reservation_id=8f1d2c3b4a596877 ultraserver_mode=3,4"
                            + " current_perf_profile=0");
            server.elect(0, 1);
            assertThat(attributes(server, names)).contains("ultraserver_mode=4");
            server.elect(3, 4);
            server.runElection();
            assertThat(attributes(server, names)).startsWith("node_id=busy node_cnt=4 reservation_id=0000000000000000");
        }
    }

    @Test
    void containerNumbersItsDeviceNodesFromZero() throws IOException {
        try (FakeNeuronHost container = FakeNeuronHost.builder()
                .instance("trn1.32xlarge")
                .container(2, 12)
                .start()) {
            FakeTree all = container.tree();
            assertThat(all.list("dev")).containsExactly("neuron0", "neuron1", "kmsg");
            assertThat(all.list(DEVICES)).hasSize(16);
            for (int node = 0; node < 2; node++) {
                int device = node == 0 ? 2 : 12;
                String number = new String(all.read(DEVICES + "neuron" + device + "/dev"), StandardCharsets.UTF_8);
                assertThat(all.stat("dev/neuron" + node).device() + "\n").isEqualTo(number);
            }
            assertThat(all.stat(DEVICES + "neuron0/dev").device()).isNull();

            container.device(2).remove();
            assertThat(all.list("dev")).containsExactly("neuron1", "kmsg");
        }
    }

    @Test
    void containerRefusesAbsentOrRepeatedDevices() {
        assertThatThrownBy(() -> FakeNeuronHost.builder().container(1).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a container cannot be given neuron1: trn1.2xlarge has 1 devices");
        assertThatThrownBy(() -> FakeNeuronHost.builder().container(0, 0).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a container can have each device only once, but was given [0, 0]");
        assertThatThrownBy(() -> FakeNeuronHost.builder()
                        .recording(Path.of("any"))
                        .container(0)
                        .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("omit the container [0]");
    }

    @Test
    void invalidElectionIsRefused() {
        assertThatThrownBy(() -> host.elect(0, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("trn1.32xlarge@driver-2.x is a standalone server, which has no election");
        try (FakeNeuronHost server = host("trn2u.48xlarge", "driver-2.30")) {
            assertThatThrownBy(() -> server.elect(0, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("node 0 of 1 is not possible: trn2u.48xlarge is one of 2 or 4 servers");
            assertThatThrownBy(() -> server.elect(4, 4)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Verifies that there is no number, because the driver's table of preview servers contains no fake. */
    @Test
    void reservationHasNoNumberWithDriver226() throws IOException {
        try (FakeNeuronHost server = host("trn3s.48xlarge", "driver-2.x")) {
            assertThat(ofUltraServer(server))
                    .isEqualTo("node_id_2=-1 node_id_4=-1 server_id_2=0000000000000000"
                            + " server_id_4=0000000000000000 ultraserver_mode=4");
        }
    }

    @Test
    void serverIsStandaloneBeforeDriverKnowsItsPlatform() throws IOException {
        try (FakeNeuronHost server = host("trn2es.48xlarge", "driver-2.x")) {
            assertThat(ofUltraServer(server))
                    .isEqualTo("node_id_2=-1 node_id_4=-1 server_id_2=0000000000000000"
                            + " server_id_4=0000000000000000 ultraserver_mode=");
        }
    }

    @Test
    void errorNumbersAreThoseOfTheKernel() {
        assertErrno(Errno.EISDIR, () -> tree.read(DEVICES + "neuron0"));
        assertErrno(Errno.EISDIR, () -> tree.write(DEVICES + "neuron0", new byte[1]));
        assertErrno(Errno.ENOTDIR, () -> tree.read(DEVICES + "neuron0/core_count/x"));
        assertErrno(Errno.ENOTDIR, () -> tree.list(DEVICES + "neuron0/core_count"));
    }

    private interface Access {
        Object run() throws IOException;
    }

    private static void assertErrno(Errno errno, Access access) {
        assertThatThrownBy(access::run)
                .isInstanceOfSatisfying(
                        FakeErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(errno.name())
                .hasMessageContaining(DEVICES + "neuron0");
    }

    @Nested
    class Writing {

        @Test
        void failedResetIsCountedWithoutReadingReset() throws IOException {
            ClockFixture clock = new ClockFixture("2026-11-21T09:00:00Z");
            try (FakeNeuronHost failing = FakeNeuronHost.builder()
                    .clock(clock)
                    .resetDuration(Duration.ofSeconds(7))
                    .start()) {
                failing.device(0).failNextReset();
                write(failing, "neuron0/reset", "1");

                // when
                clock.advance(Duration.ofSeconds(7));

                // then
                assertThat(read(failing, "neuron0/neuron_core1/stats/other_info/reset_fail_count/total"))
                        .isEqualTo("1\n");
                assertThat(read(failing, "neuron0/reset")).isEqualTo("2\n");
            }
        }
    }

    @Nested
    class OrdinaryUser {

        private final FakeNeuronHost older = FakeNeuronHost.builder()
                .layout("driver-2.x")
                .reader(FakeReader.ORDINARY_USER)
                .start();

        @AfterEach
        void close() {
            older.close();
        }

        @ParameterizedTest
        @CsvSource({"driver-2.x,false", "docs-2023,false", "driver-2.28,true", "driver-2.30,true"})
        void readsCoreCountSinceDriver228(String layout, boolean readable) throws IOException {
            try (FakeNeuronHost any = FakeNeuronHost.builder()
                    .layout(layout)
                    .reader(FakeReader.ORDINARY_USER)
                    .start()) {
                if (readable) {
                    assertThat(read(any, "neuron0/core_count")).isEqualTo("2");
                } else {
                    assertThatThrownBy(() -> read(any, "neuron0/core_count"))
                            .isInstanceOf(AccessDeniedException.class)
                            .hasMessage(DEVICES + "neuron0/core_count");
                    assertThatThrownBy(() -> any.tree()
                                    .open(DEVICES + "neuron0/core_count")
                                    .read())
                            .isInstanceOf(AccessDeniedException.class);
                }
            }
        }
    }

    @Nested
    class Processes {

        @Test
        void runningProcessListsItsDevices() throws IOException {
            try (FakeProcess process = host.openProcess(
                    "a name that is too long",
                    host.device(7).core(0),
                    host.device(7).core(1),
                    host.device(2).core(0))) {
                String directory = "proc/" + process.pid();

                assertThat(tree.list("proc")).containsExactly(Long.toString(process.pid()), "devices", "stat");
                assertThat(new String(tree.read(directory + "/comm"), StandardCharsets.UTF_8))
                        .isEqualTo("a name that is \n");
                assertThat(tree.list(directory + "/fd")).containsExactly("3", "4");
                assertThat(tree.stat(directory + "/fd/3").linkTarget()).isEqualTo("/dev/neuron7");
                assertThat(tree.stat(directory + "/fd/4").linkTarget()).isEqualTo("/dev/neuron2");
                assertThat(tree.read(directory + "/fd/4")).isEmpty();
            }
        }

        @Test
        void endedProcessDisappears() throws IOException {
            FakeProcess process = host.openProcess(host.device(7).core(0));
            FakeFile name = tree.open("proc/" + process.pid() + "/comm");
            assertThat(name.read()).isNotEmpty();

            // when
            process.kill();

            // then
            assertThat(tree.list("proc")).containsExactly("devices", "stat");
            assertThatThrownBy(name::read).isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void procDevicesNamesTheDeviceMajor() throws IOException {
        String list = text("proc/devices");
        String major = text(DEVICES + "neuron7/dev").replaceFirst(":7\n$", "");

        assertThat(list)
                .matches("(?s)Character devices:\\n(?:[ 0-9]{3} \\S+\\n)+\\nBlock devices:\\n(?:[ 0-9]{3} \\S+\\n)+");
        assertThat(list.substring(0, list.indexOf("\n\n")).lines()).containsOnlyOnce(major + " neuron");
        assertThat(list.lines()).containsOnlyOnce("  1 mem");
        assertThat(tree.stat("proc/devices")).isEqualTo(new FakeEntry(FakeEntry.Type.FILE, 0444, 0, null, null, 0));
        assertThat(text(DEVICES + "neuron7/uevent")).isEqualTo("MAJOR=" + major + "\nMINOR=7\nDEVNAME=neuron7\n");
    }

    private String text(String path) throws IOException {
        return new String(tree.read(path), StandardCharsets.UTF_8);
    }

    @Nested
    class Handles {

        @Test
        void readTruncatesToTheBuffer() throws IOException {
            byte[] page = new byte[4096];
            byte[] two = new byte[2];

            assertThat(tree.open(DEVICES + "neuron0/neuron_core0/stats/memory_usage/host_mem/total")
                            .read(page))
                    .isEqualTo(8);
            assertThat(new String(page, 0, 8, StandardCharsets.UTF_8)).isEqualTo("4530176\n");
            assertThat(tree.open(DEVICES + "neuron0/neuron_core0/stats/memory_usage/host_mem/total")
                            .read(two))
                    .isEqualTo(2);
            assertThat(new String(two, StandardCharsets.UTF_8)).isEqualTo("45");
            assertThat(tree.open("sys/module/neuron/version").read(two)).isEqualTo(2);
        }

        @Test
        void refuseForbiddenAccess() throws IOException {
            FakeFile readable = tree.open(DEVICES + "neuron0/core_count");
            FakeFile directory = tree.open(DEVICES + "neuron0/info");

            assertThat(readable.open(FakeAccess.READ).read()).isEqualTo(readable.read());
            assertThatThrownBy(() -> readable.open(FakeAccess.READ_WRITE)).isInstanceOf(AccessDeniedException.class);
            assertThatIOException()
                    .isThrownBy(() -> directory.open(FakeAccess.READ))
                    .withMessageContaining("EISDIR");
        }
    }
}
