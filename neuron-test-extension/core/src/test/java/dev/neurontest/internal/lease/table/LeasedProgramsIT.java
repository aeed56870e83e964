package dev.neurontest.internal.lease.table;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.LeaseOverview;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.TableFixture;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the programs of killed JVMs in other namespaces and of other users. */
class LeasedProgramsIT {

    /** A script that keeps a namespace after the end of its JVM. */
    private static final String STAYS = "\"$@\"; exec sleep 1000";

    private static final Instant SINCE = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    Path root;

    @TempDir
    Path parent;

    private final List<ForkedJvmFixture> jvms = new ArrayList<>();
    private final List<ProcessHandle> programs = new ArrayList<>();
    private NeuronHost host;
    private LeaseTable table;

    @BeforeEach
    void fourCores() {
        host = new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        table = LeaseTable.builder(host).directory(directory()).open();
    }

    @AfterEach
    void end() {
        table.close();
        programs.forEach(ProcessHandle::destroyForcibly);
        jvms.forEach(jvm -> {
            jvm.handle().descendants().forEach(ProcessHandle::destroyForcibly);
            jvm.close();
        });
    }

    private Path directory() {
        return parent.resolve("leases");
    }

    private static void needsNamespaces() throws Exception {
        assumeThat(System.getProperty("user.name")).as("a namespace takes root").isEqualTo("root");
        assumeThat(Path.of("/usr/bin/setpriv")).isExecutable();
        assumeThat(Path.of("/usr/bin/flock")).isExecutable();
        Process trial = new ProcessBuilder("unshare", "--pid", "--fork", "--mount-proc", "true").start();
        assumeThat(trial.waitFor()).as("unshare").isZero();
    }

    private ForkedJvmFixture jvm(Map<String, String> environment, String... starter) throws Exception {
        ForkedJvmFixture jvm = new ForkedJvmFixture(root, directory(), environment, List.of(starter));
        jvms.add(jvm);
        assertThat(jvm.next()).isEqualTo("ready");
        return jvm;
    }

    /** Returns a JVM in a separate namespace that holds cores 0 and 1. */
    private ForkedJvmFixture jvmInANamespace() throws Exception {
        ForkedJvmFixture jvm =
                jvm(Map.of(), "unshare", "--pid", "--fork", "--mount-proc", "/bin/sh", "-c", STAYS, "sh");
        lease(jvm);
        return jvm;
    }

    private static void lease(ForkedJvmFixture jvm) throws Exception {
        jvm.tell("lease other 2");
        assertThat(jvm.next()).isEqualTo("0,1");
    }

    /** Starts a program that prints one line, and waits for the line. */
    private void start(ForkedJvmFixture jvm, String script) throws Exception {
        Path file = Files.writeString(parent.resolve("program"), script);
        jvm.tell("program other /bin/sh " + file);
        assertThat(jvm.next()).isEqualTo("begun");
    }

    private static List<String> command(ProcessHandle process) {
        try {
            return Arrays.asList(Files.readString(
                            Path.of("/proc", Long.toString(process.pid()), "cmdline"), StandardCharsets.ISO_8859_1)
                    .split("\0"));
        } catch (IOException gone) {
            return List.of();
        }
    }

    /** Returns the process of a program or its child. */
    private ProcessHandle program(ForkedJvmFixture jvm) {
        await().ignoreExceptions()
                .until(() -> command(descendant(jvm, "sleep", "777")).size() == 2);
        ProcessHandle program = descendant(jvm, "sleep", "777");
        programs.add(program);
        return program;
    }

    private static ProcessHandle descendant(ForkedJvmFixture jvm, String program, String argument) {
        return Stream.concat(Stream.of(jvm.handle()), jvm.handle().descendants())
                .filter(process -> {
                    List<String> command = command(process);
                    return !command.isEmpty() && command.get(0).endsWith(program) && command.contains(argument);
                })
                .findFirst()
                .orElseThrow();
    }

    private static void kill(ForkedJvmFixture jvm) {
        ProcessHandle java = descendant(jvm, "/java", ForkedJvmFixture.class.getName());
        java.destroyForcibly();
        await().until(() -> !java.isAlive());
    }

    private void assertThatCoresAreOut(String reason) {
        await().untilAsserted(() -> assertThatExceptionOfType(LeaseTimeoutException.class)
                .isThrownBy(() -> table.lease(all(), Duration.ofMillis(500)))
                .withMessageContaining(reason));
        assertThat(LeaseOverview.of(directory()).orElseThrow().quarantines()).hasSize(2);
    }

    private void assertThatCoresComeBack() throws Exception {
        assertThat(table.lease(all(), Patience.LIMIT).cores()).hasSize(4);
        assertThat(table.quarantined()).isEmpty();
    }

    /** Verifies that the cores of a killed JVM are unavailable until its program ends. */
    private void assertThatCoresAreOutUntilItsProgramEnds(ForkedJvmFixture jvm, String reason) throws Exception {
        ProcessHandle program = program(jvm);
        kill(jvm);
        assertThatCoresAreOut(reason.formatted(program.pid()));
        program.destroyForcibly();
        assertThatCoresComeBack();
    }

    private static LeaseRequest all() {
        return new LeaseRequest("mine", List.of(CoreRequest.inARow(4)));
    }

    @Test
    void programOfOtherUserInOtherNamespaceKeepsCores() throws Exception {
        // given a program that does not get the signal of its JVM's end
        needsNamespaces();
        ForkedJvmFixture jvm = jvmInANamespace();
        start(jvm, "echo begun; exec setpriv --reuid=4711 --regid=4711 --clear-groups sleep 777");

        // then
        assertThatCoresAreOutUntilItsProgramEnds(
                jvm, ", of another container or user, or a process that it had started, was alive");
    }

    @Test
    void programOfContainerWithOwnBootIdKeepsCores() throws Exception {
        // given a container as systemd-nspawn makes it
        needsNamespaces();
        Path boot = Files.writeString(parent.resolve("boot"), "00000000-0000-0000-0000-000000000000\n");
        ForkedJvmFixture jvm = jvm(
                Map.of(),
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "--mount-proc",
                "/bin/sh",
                "-c",
                "mount --bind " + boot + " /proc/sys/kernel/random/boot_id && " + STAYS,
                "sh");
        lease(jvm);
        start(jvm, "sleep 777 & echo begun; wait");

        // then
        assertThatCoresAreOutUntilItsProgramEnds(jvm, "a process that its program had started was alive");
    }

    @Test
    void processLeftByProgramInNamespaceKeepsCores() throws Exception {
        // given a program that ends with its JVM, and a program that survives it
        needsNamespaces();
        ForkedJvmFixture jvm = jvmInANamespace();
        start(jvm, "sleep 777 & echo begun; wait");

        // then
        assertThatCoresAreOutUntilItsProgramEnds(jvm, "was alive");
    }

    @Test
    void processOfOtherUserLeftByProgramKeepsCores() throws Exception {
        // given
        needsNamespaces();
        ForkedJvmFixture jvm = jvm(Map.of(), "/bin/sh", "-c", STAYS, "sh");
        lease(jvm);
        start(jvm, "setpriv --reuid=4711 --regid=4711 --clear-groups sleep 777 & echo begun; wait");

        // then
        assertThatCoresAreOutUntilItsProgramEnds(jvm, "a process that its program had started was alive");
    }

    @Test
    void coresAreFreedWhenPodDiesWithItsProgram() throws Exception {
        // given
        needsNamespaces();
        ForkedJvmFixture jvm = jvmInANamespace();
        start(jvm, "echo begun; exec sleep 777");

        // when its first process ends, so do all
        descendant(jvm, "/sh", STAYS).destroyForcibly();
        jvm.handle().onExit().get();

        // then
        assertThatCoresComeBack();
    }

    @Test
    void programThatClosedLockIsFoundByEnvironment() throws Exception {
        // given
        needsNamespaces();
        ForkedJvmFixture jvm = jvmInANamespace();
        start(jvm, "(exec 3>&- 4>&- 5>&- 6>&-; exec sleep 777) & echo begun; wait");

        // then
        assertThatCoresAreOutUntilItsProgramEnds(jvm, "its process %s was alive");
    }

    @Test
    void processThatClosedLockIsFoundAfterProgramEnds() throws Exception {
        // given a program that no JVM of this user ends
        needsNamespaces();
        ForkedJvmFixture jvm = jvm(Map.of(), "/bin/sh", "-c", STAYS, "sh");
        lease(jvm);
        start(
                jvm,
                "(exec 3>&- 4>&- 5>&- 6>&-; exec setpriv --reuid=4711 --regid=4711 --clear-groups sleep 777) & echo begun; wait");

        // then
        assertThatCoresAreOutUntilItsProgramEnds(jvm, "its process %s was alive");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutFlockAProgramInAnotherNamespaceCannotBeSeen(boolean isOld) throws Exception {
        // given no program, or a program without the option
        needsNamespaces();
        Path tools = Files.createDirectory(parent.resolve("tools"));
        if (isOld) {
            Path flock = Files.writeString(tools.resolve("flock"), "#!/bin/sh\nexit 1\n");
            Files.setPosixFilePermissions(flock, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        ForkedJvmFixture jvm = jvm(
                Map.of("PATH", tools.toString()),
                "/usr/bin/unshare",
                "--pid",
                "--fork",
                "--mount-proc",
                "/bin/sh",
                "-c",
                STAYS.replace("sleep", "/bin/sleep"),
                "sh");
        lease(jvm);
        start(jvm, "trap '' TERM; /bin/sleep 777 & echo begun; wait");

        // when
        kill(jvm);

        // then
        assertThatCoresAreOut(", of another container or user, was not visible from here");
        try (Stream<Path> files = Files.walk(directory())) {
            assertThat(files.map(file -> file.getFileName().toString())).noneMatch(name -> name.startsWith("lease-"));
        }
    }

    @Test
    void lockFilesOfProgramsAreRemovedWithLeases() throws Exception {
        // given
        ForkedJvmFixture jvm = jvm(Map.of());
        lease(jvm);
        start(jvm, "echo begun; exec sleep 777");

        // when
        kill(jvm);
        assertThatCoresComeBack();
        LeaseTable.builder(host).directory(directory()).open().close();

        // then
        try (Stream<Path> files = Files.walk(directory())) {
            assertThat(files.map(file -> file.getFileName().toString())).noneMatch(name -> name.startsWith("lease-"));
        }
    }

    /** Writes leases and processes of JVMs of an earlier boot. */
    private void writeOfAnotherBoot() throws IOException {
        try (LeaseStore store = LeaseStore.in(directory(), null, new ProcessTable(), warning -> {})) {
            TableFixture removed = new TableFixture(store, "jvm-4711-1-1", ofAnotherBoot(4711));
            LeaseState.Claim claim =
                    removed.started(removed.grant("other", "neuron0/neuron_core0"), ofAnotherBoot(4713));
            new TableFixture(store, "jvm-4712-1-1", ofAnotherBoot(4712)).grant("other", "neuron0/neuron_core1");
            removed.bar(claim.bar(
                            "neuron1/neuron_core0",
                            "its process was alive",
                            Until.PROCESSES_END,
                            SINCE,
                            DeviceReading.NONE)
                    .until(List.of(ofAnotherBoot(4713)), ""));
        }
    }

    private static ProcessIdentity ofAnotherBoot(long pid) {
        return new ProcessIdentity(pid, 1, "00000000-0000-0000-0000-000000000000 pid:[4026531836]", "root");
    }

    @Test
    void allCoresAreFreeAfterReboot() throws Exception {
        // given
        writeOfAnotherBoot();

        // then
        LeaseOverview overview = LeaseOverview.of(directory()).orElseThrow();
        assertThat(overview.jvms()).isOne();
        assertThat(overview.held()).extracting(LeaseOverview.Held::alive).containsOnly(false);
        assertThat(overview.quarantines()).isEmpty();
        try (LeaseTable next = LeaseTable.builder(host).directory(directory()).open()) {
            assertThat(next.lease(all(), Duration.ZERO).cores()).hasSize(4);
            assertThat(next.quarantined()).isEmpty();
        }
    }
}
