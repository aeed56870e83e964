package dev.neurontest.fake.internal.command;

import static dev.neurontest.fake.internal.command.LauncherFixture.assumeRoot;
import static dev.neurontest.fake.internal.command.LauncherFixture.assumeRunnable;
import static dev.neurontest.fake.internal.command.LauncherFixture.call;
import static dev.neurontest.fake.internal.command.LauncherFixture.launch;
import static dev.neurontest.fake.internal.command.LauncherFixture.program;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.fake.internal.command.LauncherFixture.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the launcher shows one directory in place of another, on folders of the test instead of the system's. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherIT {

    @TempDir
    private Path folder;

    private Path fake;
    private Path system;
    private List<String> mountsBefore;

    @BeforeEach
    void makeFolders() throws IOException {
        assumeRunnable();
        // Every user may read them, like the system's.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        fake = Files.createDirectories(folder.resolve("fake"));
        Files.writeString(fake.resolve("count"), "7\n");
        system = Files.createDirectories(folder.resolve("system"));
        Files.writeString(Files.createDirectory(system.resolve("kept")).resolve("value"), "genuine\n");
        Files.writeString(system.resolve("file"), "a file\n");
        Files.createSymbolicLink(system.resolve("link"), Path.of("kept/value"));
        mountsBefore = LauncherFixture.mounts(folder);
    }

    @AfterEach
    void nothingIsLeftMounted() throws IOException {
        assertThat(LauncherFixture.mounts(folder)).isEqualTo(mountsBefore);
    }

    private List<String> bind(Path target) {
        return List.of("--bind", fake.toString(), target.toString());
    }

    private static String path(Path folder, String name) {
        return folder.resolve(name).toString();
    }

    @Nested
    class AtMissingTarget {

        @Test
        void showsTheFake() {
            Path target = system.resolve("new/deep");

            Ended cat = launch(bind(target), "cat", path(target, "count"));

            assertThat(cat).isEqualTo(new Ended(0, "7\n", ""));
        }

        @Test
        void keepsNeighboursOfTheTarget() {
            Path target = system.resolve("new");

            Ended cat =
                    launch(bind(target), "cat", path(system, "kept/value"), path(system, "file"), path(system, "link"));

            assertThat(cat).isEqualTo(new Ended(0, "genuine\na file\ngenuine\n", ""));
            assertThat(launch(bind(target), "readlink", path(system, "link")).out())
                    .isEqualTo("kept/value\n");
        }

        @Test
        void showsSeveralTargets() {
            List<String> grafts = new ArrayList<>(bind(system.resolve("new/first")));
            grafts.addAll(bind(system.resolve("new/second")));
            grafts.addAll(bind(system.resolve("third")));

            Ended list = launch(grafts, "ls", path(system, ""), path(system, "new"));

            assertThat(list.out().lines()).contains("file", "kept", "link", "third", "first", "second");
        }

        @Test
        void refusesNewFilesNextToTheTarget() {
            Ended touch = launch(bind(system.resolve("new")), "touch", path(system, "more"));

            assertThat(touch.err()).contains("Read-only file system");
            assertThat(system.resolve("more")).doesNotExist();
        }

        @Test
        void neighboursStayWritable() {
            launch(bind(system.resolve("new")), "cp", path(system, "file"), path(system, "kept/value"));

            assertThat(system.resolve("kept/value")).hasContent("a file");
        }

        @Test
        void leavesNoTraceOutside() {
            Path target = system.resolve("new/deep");

            launch(bind(target), "true");

            assertThat(system).isDirectoryNotContaining("glob:**new");
        }

        @Test
        void leavesNoTraceWhereMountsAreShared() {
            assumeRoot();
            List<String> words = new ArrayList<>(List.of(
                    "unshare",
                    "--mount",
                    "--propagation",
                    "shared",
                    "sh",
                    "-c",
                    "cat /proc/self/mountinfo; echo; \"$@\"; echo; cat /proc/self/mountinfo",
                    "sh",
                    program().toString()));
            words.addAll(bind(system.resolve("new")));
            words.addAll(List.of("--", "cat", path(system, "new/count")));

            String[] parts = call(words).out().split("\n\n", 3);

            assertThat(parts[0]).contains("shared:");
            assertThat(parts[1]).isEqualTo("7");
            assertThat(lasting(parts[2])).isEqualTo(lasting(parts[0]));
        }

        /** Returns the mounts without those of fake hosts: tests that run at the same time end theirs, which ends them here too. */
        private static List<String> lasting(String mounts) {
            return mounts.strip()
                    .lines()
                    .filter(mount -> !mount.contains(" - fuse.neuron-fake "))
                    .toList();
        }

        @Test
        void showsASingleFile() {
            List<String> grafts = List.of("--bind", path(fake, "count"), path(system, "id/name"));

            assertThat(launch(grafts, "cat", path(system, "id/name")).out()).isEqualTo("7\n");
        }
    }

    @Nested
    class AtExistingTarget {

        @Test
        void hidesADirectory() {
            Ended list = launch(bind(system.resolve("kept")), "ls", path(system, "kept"));

            assertThat(list).isEqualTo(new Ended(0, "count\n", ""));
            assertThat(system.resolve("kept/value")).exists();
        }

        @Test
        void hidesAFile() {
            List<String> grafts = List.of("--bind", path(fake, "count"), path(system, "file"));

            assertThat(launch(grafts, "cat", path(system, "file")).out()).isEqualTo("7\n");
        }

        @Test
        void findsTheFakeBelowAHiddenFolder() {
            List<String> grafts = new ArrayList<>(bind(folder.resolve("beside")));
            grafts.addAll(bind(system.resolve("new")));

            assertThat(launch(grafts, "cat", path(system, "new/count")).out()).isEqualTo("7\n");
        }
    }

    @Nested
    class NumberedEntries {

        private List<String> numbered(String count) {
            return List.of("--try-numbered", path(folder, "host"), system.toString(), "neuron", count);
        }

        @Test
        void leadToTheFake() throws IOException {
            Files.writeString(Files.createDirectory(folder.resolve("host")).resolve("neuron1"), "second\n");

            assertThat(launch(numbered("2"), "cat", path(system, "neuron1")).out())
                    .isEqualTo("second\n");
        }

        @Test
        void replaceAllNumberedEntriesOfTheSystem() throws IOException {
            for (String name : List.of("neuron0", "neuron7", "neuron", "neuron7x", "neutron7")) {
                Files.createFile(system.resolve(name));
            }

            Ended list = launch(numbered("2"), "ls", system.toString());

            assertThat(list.out().lines())
                    .containsExactly("file", "kept", "link", "neuron", "neuron0", "neuron1", "neuron7x", "neutron7");
        }
    }

    @Nested
    class Refusals {

        /** Launches in a user namespace that allows no further ones. */
        private Ended launchWhereForbidden() {
            return call(List.of(
                    "unshare",
                    "--user",
                    "--map-root-user",
                    "sh",
                    "-c",
                    "echo 0 > /proc/sys/user/max_mnt_namespaces; echo 0 > /proc/sys/user/max_user_namespaces; exec \"$@\"",
                    "sh",
                    program().toString(),
                    "--bind",
                    fake.toString(),
                    path(system, "new"),
                    "--",
                    "true"));
        }

        @Test
        void forbiddenNamespacesAreNamed() {
            assertThat(launchWhereForbidden())
                    .isEqualTo(new Ended(
                            125,
                            "",
                            "fake-sysfs: the fake cannot be shown at the real path. The kernel refused a mount namespace"
                                    + " (beyond the limits in /proc/sys/user): No space left on device, a user namespace"
                                    + " (beyond the limits in /proc/sys/user): No space left on device. Run it"
                                    + " as root or where user namespaces are allowed; alternatively, let the program read a"
                                    + " directory: fake-sysfs serve --root DIR, then source DIR/env.sh.\n"));
        }

        @Test
        void missingBindSourceExitsWith125() {
            Ended ended = launch(List.of("--bind", path(folder, "absent"), path(system, "new")), "echo", "started");

            assertThat(ended.status()).isEqualTo(125);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err())
                    .startsWith("fake-sysfs: the fake cannot be shown at the real path. The kernel refused opening "
                            + folder.resolve("absent") + ": No such file or directory. ")
                    .hasLineCount(1);
        }

        @Test
        void failedTryBindIsReportedAndSkipped() {
            Path target = system.resolve("file/below");

            Ended ended =
                    launch(List.of("--try-bind", fake.toString(), target.toString()), "cat", path(system, "file"));

            assertThat(ended)
                    .isEqualTo(new Ended(
                            0,
                            "a file\n",
                            "fake-sysfs: " + target + " does not show the fake: reading the status of " + target
                                    + ": Not a directory\n"));
        }

        @Test
        void newEntryInTheRootDirectoryIsSkipped() {
            Ended ended = launch(List.of("--try-bind", fake.toString(), "/no-such-place-of-a-test/x"), "true");

            assertThat(ended)
                    .isEqualTo(new Ended(
                            0,
                            "",
                            "fake-sysfs: /no-such-place-of-a-test/x does not show the fake: making a directory that is"
                                    + " missing in /: Operation not supported\n"));
        }

        @Test
        void missingCommandExitsWith127() {
            assertThat(launch(List.of(), "no-such-command-of-a-test"))
                    .isEqualTo(new Ended(
                            127,
                            "",
                            "fake-sysfs: no-such-command-of-a-test cannot be run: No such file or directory\n"));
        }

        @Test
        void nonExecutableCommandExitsWith126() {
            String file = path(system, "file");

            assertThat(launch(List.of(), file))
                    .isEqualTo(new Ended(126, "", "fake-sysfs: " + file + " cannot be run: Permission denied\n"));
        }

        @Test
        void unknownOptionIsRefused() {
            assertThat(call(List.of(program().toString(), "--nonsense", "--", "true")))
                    .isEqualTo(
                            new Ended(125, "", "fake-sysfs: at-real-path does not accept the argument --nonsense\n"));
        }
    }

    @Nested
    class Commands {

        @Test
        void exitCodeIsPassedOn() {
            assertThat(launch(List.of(), "sh", "-c", "exit 42").status()).isEqualTo(42);
        }

        @Test
        void workingDirectoryShowsTheFake() {
            List<String> words = new ArrayList<>(List.of("env", "--chdir=" + system.resolve("kept")));
            words.add(program().toString());
            words.addAll(bind(system.resolve("kept")));
            words.addAll(List.of("--", "cat", "count"));

            assertThat(call(words)).isEqualTo(new Ended(0, "7\n", ""));
        }
    }

    @Nested
    class ForOrdinaryUsers {

        private Path launcher;

        @BeforeEach
        void letThemRunIt() throws IOException {
            assumeRoot();
            launcher = Files.copy(program(), folder.resolve("at-real-path"));
            Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
            Ended tried = asUserNobody("--", "true");
            assumeThat(tried.status()).as(tried.err()).isZero();
        }

        private Ended asUserNobody(String... words) {
            List<String> all = new ArrayList<>(List.of("runuser", "-u", "nobody", "--", launcher.toString()));
            all.addAll(List.of(words));
            return call(all);
        }

        @Test
        void showsTheFake() {
            Path target = system.resolve("new/deep");

            Ended cat = asUserNobody("--bind", fake.toString(), target.toString(), "--", "cat", path(target, "count"));

            assertThat(cat).isEqualTo(new Ended(0, "7\n", ""));
        }

        @Test
        void keepsIdentityAndAddsNoPrivilege() {
            Ended status = asUserNobody("--", "sh", "-c", "id -un; grep CapEff /proc/self/status");

            assertThat(status).isEqualTo(new Ended(0, "nobody\nCapEff:\t0000000000000000\n", ""));
        }

        @Test
        void showsTheFakeUnderTheRealSys() {
            String target = "/sys/class/neuron_test_of_a_class";

            Ended list = asUserNobody("--bind", fake.toString(), target, "--", "ls", target, "/sys/class/mem");

            assertThat(list.err()).isEmpty();
            assertThat(list.out()).contains("count\n").contains("null\n");
            assertThat(Path.of(target)).doesNotExist();
        }

        @Test
        void worksForRootWithoutMountPrivilege() {
            List<String> words = new ArrayList<>(
                    List.of("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin", launcher.toString()));
            words.addAll(bind(system.resolve("new")));
            words.addAll(List.of("--", "cat", path(system, "new/count")));

            assertThat(call(words)).isEqualTo(new Ended(0, "7\n", ""));
        }
    }
}
