package dev.neurontest.internal.command.doctor;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.command.CommandFixture;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.orphan.Orphan;
import dev.neurontest.internal.process.orphan.Orphans;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the leftovers of killed JVMs. Other test JVMs end orphans too, and a process may be gone early. */
class LeftoversTest {

    @TempDir
    Path folder;

    private static List<String> found(List<DoctorFinding> findings, String area, DoctorFinding.Level level) {
        return findings.stream()
                .filter(finding -> finding.area().equals(area) && finding.level() == level)
                .map(DoctorFinding::what)
                .toList();
    }

    private Settings settings(Path host) {
        Map<String, String> values = Map.of(
                Setting.PLATFORM.name(), "root:" + host,
                Setting.FAKE_FOLDER.name(), folder.toString(),
                Setting.PROFILER.name(), folder + "/neuron-explorer");
        return Settings.of(name -> Stream.ofNullable(values.get(name)).findFirst());
    }

    @Test
    void reapReleasesLeasesAndFilesOfKilledJvm() throws Exception {
        // given
        try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
            KilledJvmFixture killed = KilledJvmFixture.of(host.directory(), folder);
            List<DoctorFinding> before = Doctor.examine(
                            settings(host.directory()), Map.of(), 17, false, Optional.empty())
                    .findings();
            assertThat(found(before, "leases", DoctorFinding.Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("BertTest > serves()", "but its JVM has ended");
            assertThat(found(before, "left", DoctorFinding.Level.OK))
                    .contains(killed.fake() + ", a folder of a dead JVM");

            // when
            Diagnosis after = Doctor.examine(settings(host.directory()), Map.of(), 17, true, Optional.empty());

            // then
            assertThat(after.isWell()).isTrue();
            assertThat(found(after.findings(), "left", DoctorFinding.Level.OK)).contains("removed " + killed.fake());
            assertThat(killed.fake()).doesNotExist();
            assertThat(killed.temporary()).doesNotExist();
            assertThat(Orphans.find()).extracting(Orphan::pid).doesNotContain(killed.child());
            assertThat(found(after.findings(), "leases", DoctorFinding.Level.OK))
                    .singleElement()
                    .asString()
                    .contains("0 leases, 0 cores in quarantine");
        }
    }

    @Test
    void reapLeavesFoldersOfAnotherHostAlone() throws Exception {
        // given
        Path boot = Files.writeString(folder.resolve("boot_id"), "0b5e1c1e-6a0e-4d5f-9a53-3c0b2f0d9a11\n");
        String mount = "/bin/mount --bind " + boot + " /proc/sys/kernel/random/boot_id";
        Process probe = new ProcessBuilder("unshare", "--mount", "sh", "-c", mount)
                .redirectErrorStream(true)
                .start();
        String output = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(probe.waitFor() == 0, "a boot id can be faked only in a mount namespace, as root: " + output);
        try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
            KilledJvmFixture other = KilledJvmFixture.of(
                    host.directory(),
                    folder,
                    "/usr/bin/unshare",
                    "--mount",
                    "/bin/sh",
                    "-c",
                    mount + " && exec \"$0\" \"$@\"");

            // when
            List<DoctorFinding> findings = Doctor.examine(
                            settings(host.directory()), Map.of(), 17, true, Optional.empty())
                    .findings();

            // then
            assertThat(found(findings, "left", DoctorFinding.Level.OK))
                    .noneMatch(what -> what.contains(other.fake().toString()))
                    .noneMatch(what -> what.contains(other.temporary().toString()));
            assertThat(other.fake().resolve("lock")).exists();
            assertThat(other.temporary().resolve("lock")).exists();
            Files.delete(other.temporary().resolve("lock"));
            Files.delete(other.temporary());
        }
    }

    @Test
    void orphanIsListedButNotEndedWithoutReap() throws IOException {
        // given
        Settings settings = settings(folder);

        // then
        await().untilAsserted(() -> {
            Process orphan = orphan();
            assertThat(found(Leftovers.examine(settings), "left", DoctorFinding.Level.WARN))
                    .contains(("pid %s (sh -c sleep 600; : sh --password=*** \\u001b[2J) of BertTest > serves(), "
                                    + "started by the dead JVM %s")
                            .formatted(orphan.pid(), ProcessHandle.current().pid()));
            assertThat(orphan.isAlive()).isTrue();
            orphan.destroyForcibly();
        });
    }

    @Test
    void reapListsEndedProcesses() throws IOException {
        // given
        Settings settings = settings(folder);

        // then
        await().untilAsserted(() -> {
            Process orphan = orphan();
            assertThat(found(Leftovers.reap(settings), "left", DoctorFinding.Level.OK))
                    .anyMatch(what -> what.startsWith("ended pid " + orphan.pid() + " (sh -c"));
        });
    }

    @Test
    void reapOptionReportsLeftovers() {
        // when
        CommandFixture doctor = CommandFixture.run("doctor", "--platform=fake:trn1.2xlarge", "--reap");

        // then
        assertThat(doctor.status()).isZero();
        assertThat(doctor.out()).containsPattern("OK +left ");
    }

    private static Process orphan() throws IOException {
        ProcessIdentity self = ProcessTable.shownSelf().orElseThrow();
        ProcessIdentity dead = new ProcessIdentity(self.pid(), self.startTicks() - 1, self.namespace(), self.user());
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "sleep 600; :", "sh", "--password=x", "\u001b[2J");
        builder.environment()
                .putAll(Map.of(
                        "NEURONTEST_PROCESS_TREE", "x@" + dead.word(), "NEURON_PROCESS_TAG", "BertTest > serves()"));
        return builder.start();
    }
}
