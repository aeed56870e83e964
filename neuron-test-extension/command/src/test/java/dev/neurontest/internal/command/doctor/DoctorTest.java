package dev.neurontest.internal.command.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.device.LeaseException;
import dev.neurontest.fake.ExecutionFault;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.fake.Fault;
import dev.neurontest.internal.archive.HostPicture;
import dev.neurontest.internal.command.CommandFixture;
import dev.neurontest.internal.command.doctor.DoctorFinding.Level;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.Mounts;
import dev.neurontest.internal.lease.store.TicketSlots;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DoctorTest {

    private static final Map<String, String> NOT_CI = Map.of();
    private static final int JAVA = 17;

    @TempDir
    private Path folder;

    private static Settings settings(Map<Setting<?>, String> values) {
        return Settings.of(name -> values.entrySet().stream()
                .filter(value -> value.getKey().name().equals(name))
                .map(Map.Entry::getValue)
                .findFirst());
    }

    private static Settings on(String platform) {
        return settings(Map.of(Setting.PLATFORM, platform));
    }

    /** Examines a platform without running a tool, because its version takes a second. */
    private Diagnosis examine(String platform) {
        return examine(platform, NOT_CI, JAVA);
    }

    private Diagnosis examine(String platform, Map<String, String> environment, int java) {
        Settings settings = settings(Map.of(Setting.PLATFORM, platform, Setting.PROFILER, folder + "/neuron-explorer"));
        return Doctor.examine(settings, environment, java, false, Optional.empty());
    }

    private Diagnosis examine(FakeNeuronHost host) {
        return examine("root:" + host.directory());
    }

    private static LeaseTable open(Platform platform) {
        return LeaseTable.builder(platform.host())
                .directory(platform.leaseDirectory())
                .open();
    }

    private static Lease lease(LeaseTable table, String holder) throws InterruptedException {
        return table.lease(new LeaseRequest(holder, List.of(CoreRequest.any())), Patience.LIMIT);
    }

    private static DoctorFinding only(Diagnosis diagnosis, Code code) {
        return diagnosis.findings().stream()
                .filter(finding -> finding.code().equals(Optional.of(code)))
                .reduce((one, other) -> Assertions.fail("%s and %s".formatted(one, other)))
                .orElseThrow();
    }

    private static List<String> found(Diagnosis diagnosis, String area, Level level) {
        return diagnosis.findings().stream()
                .filter(finding -> finding.area().equals(area) && finding.level() == level)
                .map(DoctorFinding::what)
                .toList();
    }

    @Test
    void findsNothingWrongOnHealthyHost() {
        // when
        Diagnosis diagnosis =
                Doctor.examine(on("fake:trn1.2xlarge@driver-2.30"), NOT_CI, JAVA, false, Optional.empty());

        // then
        assertThat(diagnosis.findings())
                .as("levels")
                // Another test may be killing a JVM at the same time.
                .filteredOn(finding -> !List.of("libnrt", "left").contains(finding.area()))
                .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(Level.OK));
        assertThat(diagnosis.findings())
                .extracting(DoctorFinding::area)
                .containsSubsequence(
                        "settings", "driver", "devices", "counters", "owners", "profiler", "libnrt", "java", "ci");
        assertThat(found(diagnosis, "devices", Level.OK))
                .containsExactly("trn1.2xlarge: 1 device with 2 cores, logical cores of 1 physical");
    }

    @Test
    void showsDeviceErrorsOfKernelLog() {
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn1.2xlarge").folder(folder).start()) {
            // given
            host.device(0).core(1).fault(Fault.of(ExecutionFault.SRAM));
            host.fault(Fault.kernelLog("neuron:ncdev_open: nd0 is in an invalid state"));

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(diagnosis.isWell()).isTrue();
            assertThat(diagnosis.findings())
                    .filteredOn(finding -> finding.area().equals("kernel log"))
                    .hasSize(2)
                    .allMatch(finding -> finding.code().equals(Optional.of(Code.LOGGED_ERROR)));
            assertThat(found(diagnosis, "kernel log", Level.WARN).get(0))
                    .startsWith("neuron0 at ")
                    .contains("NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR");
            assertThat(found(diagnosis, "kernel log", Level.WARN).get(1))
                    .startsWith("unknown device at ")
                    .endsWith(": neuron:ncdev_open: nd0 is in an invalid state");
        }
    }

    @Test
    void showsTheLastFiveLinesOfTheKernelLog() {
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn1.2xlarge").folder(folder).start()) {
            // given
            for (int i = 0; i < 8; i++) {
                host.fault(Fault.kernelLog("NEURON_HW_ERR=DMA_ERROR number=" + i));
            }

            // when
            List<String> found = found(examine(host), "kernel log", Level.WARN);

            // then
            assertThat(found).hasSize(6).last().isEqualTo("3 earlier lines: sudo dmesg");
            assertThat(found.get(0)).endsWith("number=3");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fake:trn1.2xlarge@driver-2.30?user=ordinary | kernel log | WARN | not readable, tests run without it: fake:trn1.2xlarge@driver-2.30:/dev/kmsg is not readable for this user",
                "fake:trn1.2xlarge@driver-2.30?user=ordinary | counters | OK | files can be read",
                "fake:trn1.2xlarge@driver-2.30 | counters | OK | on each core: 24 status, 4 execution, 2 reset, 13 memory counters",
                "fake:trn1.2xlarge@driver-2.30 | counters | OK | on each device: 8 memory, 5 ECC counters",
                "fake:trn1.2xlarge@driver-2.30 | counters | OK | names and places are those of driver 2.30",
                "fake:trn1.2xlarge@driver-2.29 | driver | WARN | execution and status counters change only when the process",
                "fake:trn2.3xlarge@moved-deeper | counters | WARN | unlike driver 2.30, the nearest known one: neuron0: entries of stats/ are in stats/device/ (18)",
                "fake:trn2.3xlarge@moved-deeper | counters | WARN | unlike driver 2.30, the nearest known one: each core: entries of stats/ are in stats/engines/ (1)",
                "fake:trn2.3xlarge@moved-deeper | counters | WARN | unlike driver 2.30, the nearest known one: each core: entries of stats/ are in stats/runtime/ (43)",
                "fake:trn2.3xlarge@moved-deeper | devices | WARN | driver 2.99.1.0 is newer than the newest known one (2.30.2.0)",
                "fake:trn1.2xlarge | ci | OK | CI is set: tests write no baselines here",
                "fake:trn1.2xlarge | libnrt | WARN | NEURON_RT_VISIBLE_CORES=0-3 is set in this environment",
                "root:FOLDER | host | FAIL | FOLDER is not a host root, because it has no sys/devices/virtual/neuron_device",
                "nowhere | settings | FAIL | neuron.test.platform is \"nowhere\"",
            })
    void reportsFindingsOfPlatformAndEnvironment(String platform, String area, Level level, String what) {
        // when
        Diagnosis diagnosis = examine(
                platform.replace("FOLDER", folder.toString()),
                Map.of("CI", "true", "NEURON_RT_VISIBLE_CORES", "0-3"),
                JAVA);

        // then
        assertThat(found(diagnosis, area, level))
                .anySatisfy(found -> assertThat(found).contains(what.replace("FOLDER", folder.toString())));
        assertThat(diagnosis.isWell()).isEqualTo(level != Level.FAIL);
    }

    @Test
    void doesNotAdviseOnDriverForMissingRecording() {
        // when
        Diagnosis diagnosis = examine("replay:" + folder.resolve("absent"));

        // then
        assertThat(diagnosis.findings())
                .filteredOn(finding -> finding.area().equals("host"))
                .singleElement()
                .asString()
                .contains("there is no such file")
                .doesNotContain("lsmod");
    }

    @Test
    void warnsOfCoreWithoutStatusCounters() throws Exception {
        // given a host with no status counters for its second core
        Path recording = folder.resolve("recording");
        try (FakeNeuronHost host = host()) {
            HostPicture.of(FileTree.at(host.directory()), HostPicture.Options.USUAL)
                    .archive()
                    .writeTo(recording);
        }
        Files.writeString(
                recording,
                Files.readString(recording)
                        .replaceAll("(?m)^directory \\S+ \\S+neuron_core1/stats/status(/\\S+)?\n( .*\n)*", ""));

        // when
        Diagnosis diagnosis = examine("replay:" + recording);

        // then
        assertThat(found(diagnosis, "counters", Level.OK))
                .startsWith(
                        "on 1 of the cores, first neuron0/neuron_core0: 24 status, 4 execution, 2 reset, 13 memory counters",
                        "on 1 of the cores, first neuron0/neuron_core1: 0 status, 4 execution, 2 reset, 13 memory counters");
        assertThat(found(diagnosis, "counters", Level.WARN))
                .first()
                .asString()
                .startsWith("No status counter was found below ")
                .contains("neuron0/neuron_core1, so an error would be missed.");
    }

    @Test
    void countsUnreadableCounters() {
        // given
        try (FakeNeuronHost host = host()) {
            host.device(0).core(0).fault(Fault.garbage("stats/status/success/total", "x\n"));
            host.awaitPublished();

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(found(diagnosis, "counters", Level.FAIL))
                    .singleElement()
                    .asString()
                    .startsWith("1 of ")
                    .contains("neuron0/neuron_core0/stats/status/success/total");
        }
    }

    @Test
    void namesProcessThatHasDeviceOpen() {
        // given
        try (FakeNeuronHost host = host();
                var process = host.openProcess("notebook", host.device(0).core(0))) {
            host.awaitPublished();

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(found(diagnosis, "owners", Level.WARN))
                    .containsExactly("neuron0 is open in notebook (pid %s)".formatted(process.pid()));
        }
    }

    @Test
    void namesLeasingTestAndQuarantinedCore() throws Exception {
        // given
        try (FakeNeuronHost host = host();
                Platform platform = Platform.open(on("root:" + host.directory()));
                LeaseTable table = open(platform);
                Lease lease = lease(table, "BertTest > infers()");
                Lease second = lease(table, "BertTest > hangs()")) {
            second.quarantine(second.cores(), Until.IDLE, "the test was interrupted");
            second.quarantine(second.cores(), Until.IDLE, "its program still runs");

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(found(diagnosis, "leases", Level.OK))
                    .anyMatch(what -> what.contains(", 1 core in quarantine, "))
                    .anyMatch(what -> what.startsWith("core %s: leased by BertTest > infers() (pid %s) since "
                            .formatted(
                                    lease.cores().get(0).index(),
                                    ProcessHandle.current().pid())));
            assertThat(found(diagnosis, "quarantine", Level.WARN))
                    .singleElement()
                    .asString()
                    .startsWith(
                            "no test gets core %s (%s): the test was interrupted; its program still runs (BertTest > hangs(), pid "
                                    .formatted(
                                            second.cores().get(0).index(),
                                            second.cores().get(0).name()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "IDLE, nothing drives it",
        "WELL, no reset is needed",
        "RESET, neuron.test.quarantine.reset",
        "RELOAD, Reload the driver",
        "REPLACED, Replace the instance"
    })
    void advisesHowToEndQuarantine(Until until, String advice) throws Exception {
        // given
        try (FakeNeuronHost host = host();
                Platform platform = Platform.open(on("root:" + host.directory()));
                LeaseTable table = open(platform);
                Lease lease = lease(table, "BertTest > infers()")) {
            lease.quarantine(lease.cores(), until, "it failed");

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(diagnosis.findings())
                    .filteredOn(finding -> finding.area().equals("quarantine"))
                    .singleElement()
                    .extracting(DoctorFinding::advice)
                    .asString()
                    .contains(advice);
        }
    }

    @Test
    void namesLeasedCoresAsRangeOfLogicalCores() throws Exception {
        // given logical cores of two physical ones
        try (FakeNeuronHost host = host("trn2.48xlarge", "driver-2.30");
                Platform platform = Platform.open(on("root:" + host.directory()));
                LeaseTable table = open(platform);
                Lease lease = table.lease(
                        new LeaseRequest(
                                "DecoderTest > runs()",
                                List.of(CoreRequest.exactly(
                                        IntStream.rangeClosed(16, 63).toArray()))),
                        Patience.LIMIT)) {
            assertThat(lease.cores().get(0).physicalCores()).hasSize(2);

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(found(diagnosis, "leases", Level.OK))
                    .anyMatch(what -> what.matches(
                            "cores 16-63: leased by DecoderTest > runs\\(\\) \\(pid [0-9]+\\) since [0-9T:-]{19}Z"));
        }
    }

    @Test
    void warnsThatOtherUsersCannotLease() throws Exception {
        // given
        try (FakeNeuronHost host = host()) {
            Path directory = leaseDirectory(host, "rwxr-xr-x");

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(diagnosis.isWell()).isTrue();
            assertThat(only(diagnosis, Code.LEASES_OF_ONE_USER)).satisfies(finding -> {
                assertThat(finding.what())
                        .startsWith(directory + " has mode 0755 and belongs to ")
                        .endsWith(": other users cannot lease from it, so their tests fail");
                assertThat(finding.advice()).contains("sudo chmod 1777 " + directory, "neuron.test.lease.directory");
            });
        }
    }

    @Test
    void failsForWorldWritableLeaseDirectoryWithoutStickyBit() throws Exception {
        // given
        try (FakeNeuronHost host = host()) {
            Path directory = leaseDirectory(host, "rwxrwxrwx");
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> {
                        try (Platform platform = Platform.open(on("root:" + host.directory()))) {
                            LeaseTable.builder(platform.host())
                                    .directory(directory)
                                    .open()
                                    .close();
                        }
                    })
                    .withMessageContaining("without the sticky bit");

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(found(diagnosis, "leases", Level.FAIL))
                    .singleElement()
                    .asString()
                    .startsWith("The lease table does not use " + directory
                            + ": every user may replace its files, because its mode is 0777 without the sticky bit");
        }
    }

    @Test
    void namesUserWhoCanReplaceLeaseTable() throws Exception {
        // given
        assumeThat(System.getProperty("user.name"))
                .as("only root gives a directory to another user")
                .isEqualTo("root");
        try (FakeNeuronHost host = host()) {
            Path directory = leaseDirectory(host, "rwxrwxrwx");
            Files.setAttribute(directory, "unix:mode", 01777);
            assertThat(replaceable(host)).isEmpty();

            // when
            Files.setAttribute(directory, "unix:uid", 65534);

            // then
            String owner = Files.getOwner(directory).getName();
            assertThat(replaceable(host)).singleElement().satisfies(finding -> {
                assertThat(finding.what())
                        .isEqualTo("%s belongs to %s, who can replace the table: tests then get cores that others hold"
                                .formatted(directory.toRealPath(), owner));
                assertThat(finding.advice()).contains("'d %s 1777 root root -'".formatted(directory.toRealPath()));
            });

            // when
            Files.setAttribute(directory, "unix:uid", 0);
            Files.setAttribute(directory.getParent(), "unix:uid", 65534);

            // then
            assertThat(replaceable(host)).singleElement().satisfies(finding -> {
                assertThat(finding.what())
                        .isEqualTo(
                                "%s belongs to %s, who can replace the table in %s: tests then get cores that others hold"
                                        .formatted(directory.toRealPath().getParent(), owner, directory.toRealPath()));
                assertThat(finding.advice())
                        .as("the home of a user is not given to root")
                        .startsWith(
                                "Set neuron.test.lease.directory to a directory inside one of root, such as below /run");
            });
            Files.setAttribute(directory.getParent(), "unix:uid", 0);

            // when
            Object mode = Files.getAttribute(directory.getParent(), "unix:mode");
            Files.setAttribute(directory.getParent(), "unix:mode", 0777);

            // then
            assertThat(replaceable(host)).singleElement().satisfies(finding -> {
                assertThat(finding.what()).contains("has mode 0777, so every user can replace the table in ");
                assertThat(finding.advice())
                        .isEqualTo(
                                "sudo chmod +t %s sets the sticky bit.",
                                directory.toRealPath().getParent());
            });
            Files.setAttribute(directory.getParent(), "unix:mode", mode);
        }
    }

    private List<DoctorFinding> replaceable(FakeNeuronHost host) {
        return examine(host).findings().stream()
                .filter(finding -> finding.code().equals(Optional.of(Code.REPLACEABLE_LEASES)))
                .toList();
    }

    @Test
    void namesPlantedFileInLeaseTable() throws Exception {
        // given
        try (FakeNeuronHost host = host();
                Platform platform = Platform.open(on("root:" + host.directory()));
                LeaseTable table = open(platform)) {
            Path planted =
                    Files.createSymbolicLink(platform.leaseDirectory().resolve("jvm-1-0-1"), Path.of("/nowhere"));

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(table.held()).isEmpty();
            assertThat(only(diagnosis, Code.PLANTED_FILE))
                    .satisfies(finding -> assertThat(finding.what())
                            .isEqualTo(
                                    "%s: it is a link to /nowhere, which another user may have planted; no test JVM made it, and it is skipped",
                                    planted.toRealPath(LinkOption.NOFOLLOW_LINKS)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "overlay, WARN, 'The lease table in %s is on the file system of this container (overlay): '",
        "ext4, OK, %s is on ext4"
    })
    void namesFileSystemOfLeaseTable(String type, Level level, String what) throws Exception {
        // given
        Mounts mounts = mounts(type);
        try (FakeNeuronHost host = host();
                Platform platform = Platform.open(on("root:" + host.directory()))) {

            // then
            assertThat(LeaseChecks.examine(platform.host(), platform.leaseDirectory(), mounts))
                    .filteredOn(finding ->
                            finding.level() == level && finding.what().contains(" is on "))
                    .singleElement()
                    .satisfies(finding ->
                            assertThat(finding.what()).startsWith(what.formatted(platform.leaseDirectory())));
        }
    }

    private Mounts mounts(String type) throws IOException {
        Path mounts = folder.resolve("mountinfo");
        Files.writeString(
                mounts,
                Files.readString(Path.of("/proc/self/mountinfo")).replaceAll("(?m) - [^ ]+ ", " - " + type + " "));
        return new Mounts(mounts);
    }

    @Test
    void refusesLeaseTableOnNetworkFileSystem() throws Exception {
        // given
        Mounts mounts = mounts("nfs4");
        try (FakeNeuronHost host = host();
                Platform platform = Platform.open(on("root:" + host.directory()))) {

            // then
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> LeaseChecks.examine(platform.host(), platform.leaseDirectory(), mounts))
                    .withMessageContaining("it is on nfs4, which may fail to separate the JVMs of this machine.");
        }
    }

    private static Path leaseDirectory(FakeNeuronHost host, String permissions) throws IOException {
        Path directory = Files.createDirectories(host.directory().resolve("tmp/neuron-test-leases"));
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void namesDeviceMissingForInstanceType() {
        // given
        try (FakeNeuronHost host = host("trn2.48xlarge", "driver-2.30")) {
            host.device(5).remove();
            host.awaitPublished();

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(diagnosis.isWell()).isTrue();
            assertThat(only(diagnosis, Code.MISSING_DEVICE)).satisfies(finding -> {
                assertThat(finding.what())
                        .isEqualTo("trn2.48xlarge has 16 devices, and 15 can be used here; missing: neuron5");
                assertThat(finding.advice()).contains("container", "sudo dmesg");
            });
        }
    }

    @Test
    void namesDevicesMissingInContainer() {
        // given
        assumeThat(System.getProperty("user.name"))
                .as("only root creates the numbered device nodes of a container")
                .isEqualTo("root");
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                .instance("trn1.32xlarge")
                .container(0, 1, 5)
                .start()) {

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(found(diagnosis, "devices", Level.WARN))
                    .startsWith("trn1.32xlarge has 16 devices, and 3 can be used here; missing: devices 2-4, 6-15");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inf1.6xlarge",
                "inf1.24xlarge",
                "inf2.24xlarge",
                "inf2.48xlarge",
                "trn1.2xlarge",
                "trn1.32xlarge",
                "trn1n.32xlarge",
                "trn2.48xlarge",
                "trn2u.48xlarge",
                "trn3.48xlarge"
            })
    void reportsNoMissingDeviceOnCompleteHost(String instanceType) {
        // when
        Diagnosis diagnosis = examine("fake:" + instanceType);

        // then
        assertThat(codes(diagnosis)).doesNotContain(Code.MISSING_DEVICE);
    }

    private static List<Code> codes(Diagnosis diagnosis) {
        return diagnosis.findings().stream()
                .flatMap(finding -> finding.code().stream())
                .toList();
    }

    @Test
    void countsUncorrectedMemoryErrors() {
        // given
        try (FakeNeuronHost host = host("trn1.32xlarge", "driver-2.30")) {
            host.device(3).ecc("mem_uncorrected", 2);
            host.device(3).ecc("sram_uncorrected", 1);
            host.device(4).ecc("mem_corrected", 7);
            host.awaitPublished();

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(diagnosis.findings())
                    .filteredOn(finding -> finding.area().equals("devices") && finding.level() == Level.WARN)
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.code()).contains(Code.UNCORRECTED_MEMORY_ERROR);
                        assertThat(finding.what())
                                .isEqualTo(
                                        "neuron3 has had memory errors that were not corrected, since it was powered:"
                                                + " 2 in mem_ecc_uncorrected, 1 in sram_ecc_uncorrected");
                        assertThat(finding.advice()).contains("reset", "stop and start the instance");
                    });
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "driver-2.30 | 2.34.10.0 | OK   | SDK 2.32: driver 2.30.2.0, libnrt 2.34.10.0",
                "driver-2.30 | 2.33.10.0 | OK   | SDK 2.32: driver 2.30.2.0; SDK 2.31: libnrt 2.33.10.0; no pair of them is known to fail",
                "driver-2.x  | 2.29.40.0 | OK   | older than SDK 2.27: driver 2.24.7.0; SDK 2.27: libnrt 2.29.40.0; no pair of them is known to fail",
                "driver-2.29 | 2.33.10.0 | OK   | SDK 2.31: driver 2.29.0.0, libnrt 2.33.10.0",
                "driver-2.29 | 2.32.31.0 | FAIL | driver 2.29.0.0 with libnrt 2.32.31.0: nrt_init fails: a driver 2.29 needs a runtime from 2.33 on",
                "driver-2.x  | 2.32.31.0 | FAIL | driver 2.24.7.0 with libnrt 2.32.31.0: nrt_init fails: a runtime 2.32 needs a driver from 2.27 on",
                "driver-2.x  | 2.33.10.0 | WARN | driver 2.24.7.0 with libnrt 2.33.10.0: a runtime 2.32 fails with a driver before 2.27; AWS announced that later runtimes do not, but this is not verified",
                "driver-2.30 | 2.35.30.0 | WARN | driver 2.30.2.0 with libnrt 2.35.30.0: a runtime from 2.35 on is not verified with a driver before 2.31; casts and arithmetic of tensors on the device, and profiles of DMA between host and device, need driver 2.31",
            })
    void reportsCompatibilityOfDriverAndRuntime(String layout, String runtime, Level level, String what) {
        // given
        assumeThat(FakeRuntime.unavailable()).isEmpty();
        try (FakeNeuronHost host = host("trn1.2xlarge", layout)) {
            host.runtime().release(runtime);

            // when
            Diagnosis diagnosis = examine(host);

            // then
            assertThat(found(diagnosis, "versions", level)).containsExactly(what);
            assertThat(diagnosis.isWell()).isEqualTo(level != Level.FAIL);
        }
    }

    @Test
    void namesSdkOfProfiler() {
        // given
        assumeThat(FakeRuntime.unavailable()).isEmpty();

        // when
        Diagnosis diagnosis =
                Doctor.examine(on("fake:trn1.2xlarge@driver-2.30"), NOT_CI, JAVA, false, Optional.empty());

        // then
        assertThat(found(diagnosis, "versions", Level.OK))
                .containsExactly("SDK 2.32: driver 2.30.2.0, neuron-explorer 2.32.14.0, libnrt 2.34.10.0");
    }

    @Test
    void namesWaitingTestAndUnresponsiveJvm() throws Exception {
        // given
        try (FakeNeuronHost host = host();
                Platform platform = Platform.open(on("root:" + host.directory()));
                LeaseStore table = LeaseStore.in(platform.leaseDirectory(), null, new ProcessTable(), warning -> {})) {
            TicketSlots.Head head = table.tickets()
                    .enter(
                            new LeaseState.Ticket(
                                    null,
                                    table.self(),
                                    table.process(),
                                    "BertTest > infers()",
                                    "2 cores",
                                    "main",
                                    1,
                                    List.of()),
                            false,
                            List.of());
            String waits = "BertTest > infers() (pid %s) waits for 2 cores"
                    .formatted(ProcessHandle.current().pid());
            assertThat(found(examine(host), "leases", Level.OK)).contains(waits);

            // when
            table.tickets().pass(head, true);

            // then
            assertThat(found(examine(host), "leases", Level.WARN))
                    .containsExactly(waits + "; its JVM does not respond and is passed over");
        }
    }

    @Test
    void createsNoLeaseTable() {
        // given
        try (FakeNeuronHost host = host()) {

            // when
            examine(host);

            // then
            assertThat(host.directory().resolve("tmp")).doesNotExist();
        }
    }

    @Test
    void namesPathsOfMissingTools() {
        // given
        Settings settings = settings(Map.of(
                Setting.PLATFORM, "fake:trn1.2xlarge",
                Setting.PROFILER, folder + "/neuron-explorer",
                Setting.RUNTIME_LIBRARY, folder + "/libnrt.so.1"));

        // when
        Diagnosis diagnosis = Doctor.examine(settings, NOT_CI, JAVA, false, Optional.empty());

        // then
        assertThat(diagnosis.isWell()).isTrue();
        assertThat(found(diagnosis, "profiler", Level.WARN))
                .singleElement()
                .asString()
                .contains(folder + "/neuron-explorer");
        assertThat(found(diagnosis, "libnrt", Level.WARN))
                .singleElement()
                .asString()
                .contains(folder + "/libnrt.so.1");
    }

    @Test
    void reportsUnknownPlatformOnceAsWritten() {
        // when
        CommandFixture doctor = CommandFixture.run("doctor", "--platform", "fak:trn1");

        // then
        assertThat(doctor.status()).isEqualTo(2);
        assertThat(doctor.out())
                .contains(
                        "FAIL  settings   --platform is \"fak:trn1\": unknown platform \"fak\", did you mean \"fake\"?")
                .containsOnlyOnce("FAIL")
                .doesNotContain("JUnit");
    }

    @ParameterizedTest
    @CsvSource({
        "inf1.xlarge, 'End the program under test before its test ends.'",
        "inf2.xlarge@driver-2.29, 'End the program under test before its test ends, or use driver 2.30 or later.'"
    })
    void advisesLaterDriverOnlyWhereItExists(String host, String advice) {
        assertThat(examine("fake:" + host).findings())
                .filteredOn(finding -> finding.area().equals("driver"))
                .last()
                .satisfies(finding -> assertThat(finding.advice()).isEqualTo(advice));
    }

    @Test
    void suggestsSimilarFakeNames() {
        // when
        CommandFixture type = CommandFixture.run("doctor", "--platform", "fake:trn9");
        CommandFixture layout = CommandFixture.run("doctor", "--platform", "fake:trn1.2xlarge@driver-2.31");

        // then
        assertThat(type.status()).isEqualTo(2);
        assertThat(type.out())
                .startsWith("Neuron Test on fake:trn9\n")
                .contains("FAIL  host       from --platform: no instance type \"trn9\"; did you mean trn1.2xlarge, ")
                .contains("? All are listed by fake-sysfs list, or neuron-test fake list\n")
                .doesNotContain("lsmod", "dmesg", "inf1.");
        assertThat(layout.out())
                .contains("no layout \"driver-2.31\"; did you mean driver-2.")
                .contains("? All are listed by fake-sysfs list, or neuron-test fake list\n")
                .doesNotContain("lsmod", "dmesg", "moved");
    }

    @Test
    void advisesOnNativeAccessForJava25() {
        // when
        Diagnosis diagnosis = examine("fake:trn1.2xlarge", NOT_CI, 25);

        // then
        assertThat(diagnosis.findings())
                .filteredOn(finding -> finding.area().equals("java"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.advice()).contains("--enable-native-access=ALL-UNNAMED"));
    }

    @Test
    @DisabledIf("hasHardware")
    void suggestsFakeOnceWithoutHardware() {
        // when
        Diagnosis diagnosis = examine("auto", NOT_CI, JAVA);

        // then
        assertThat(diagnosis.findings())
                .filteredOn(finding -> finding.area().equals("host"))
                .singleElement()
                .returns("On an instance: lsmod | grep neuron, and sudo dmesg.", DoctorFinding::advice)
                .satisfies(finding -> assertThat(finding.toString()).containsOnlyOnce("fake:trn1.2xlarge"));
    }

    @Test
    @DisabledIf("hasHardware")
    void exitsWith1ForMissingDevicesOfThisMachine() {
        assertThat(CommandFixture.run("doctor", "--platform=real").status()).isEqualTo(1);
        assertThat(CommandFixture.run("doctor", "--platform=auto").status()).isEqualTo(1);
    }

    @Test
    void exitsWith2ForRecordingThatDoesNotExist() {
        // when
        CommandFixture doctor = CommandFixture.run("doctor", "--json", "--platform=replay:" + folder + "/none");

        // then
        assertThat(doctor.status()).isEqualTo(2);
        assertThat(doctor.out()).contains("\"code\":\"impossible-host\"");
    }

    private static boolean hasHardware() {
        return Files.exists(Path.of("/sys/devices/virtual/neuron_device"));
    }

    @Test
    void commandFailsWithAdviceWithoutHost() {
        // when
        CommandFixture doctor = CommandFixture.run("doctor", "--platform", "root:" + folder);

        // then
        assertThat(doctor.status()).isEqualTo(2);
        assertThat(doctor.out())
                .contains("\nFAIL  host       ")
                .contains("\n                 -> Tests run without it on a fake: --platform fake:trn1.2xlarge")
                .endsWith(" tests from running here.\n");
    }

    @Test
    void writesFindingsAsJson() {
        // given
        Diagnosis diagnosis =
                new Diagnosis("/", List.of(DoctorFinding.of(Code.LATE_COUNTERS, "old \"one\"", "update")));

        // then
        assertThat(DiagnosisText.json(diagnosis))
                .isEqualTo(
                        "{\"version\":1,\"host\":\"/\",\"well\":true,\"findings\":[{\"area\":\"driver\",\"level\":\"warn\",\"code\":\"late-counters\","
                                + "\"what\":\"old \\\"one\\\"\",\"advice\":\"update\"}]}\n");
    }

    private static FakeNeuronHost host() {
        return host("trn1.2xlarge", "driver-2.30");
    }

    private static FakeNeuronHost host(String instanceType, String layout) {
        FakeNeuronHost host =
                FakeNeuronHost.builder().instance(instanceType).layout(layout).start();
        host.directory();
        return host;
    }
}
