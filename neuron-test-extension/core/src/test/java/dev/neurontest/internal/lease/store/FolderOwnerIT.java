package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of JVMs of root with a table in a directory of an ordinary user. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FolderOwnerIT {

    private static final int OWNER = 65534;

    /** The number of starts, many times what the attack needed when modes were set by paths. */
    private static final int STARTS = 200;

    @TempDir
    Path parent;

    private final ProcessTable processes = new ProcessTable();
    private Path directory;
    private Path home;
    private Process owner;

    @BeforeEach
    void makeDirectories() throws Exception {
        assumeThat(System.getProperty("user.name"))
                .as("only root can be two users")
                .isEqualTo("root");
        assumeThat(Path.of("/usr/bin/setpriv"))
                .as("setpriv is needed for a second user")
                .isExecutable();
        Files.setAttribute(parent, "unix:mode", 0755);
        directory = ownDirectory("leases", 01777);
        home = ownDirectory("home", 0755);
    }

    @AfterEach
    void end() {
        if (owner != null) {
            owner.destroyForcibly();
        }
    }

    private Path ownDirectory(String name, int mode) throws IOException {
        Path made = Files.createDirectory(parent.resolve(name));
        Files.setAttribute(made, "unix:mode", mode);
        Files.setAttribute(made, "unix:uid", OWNER);
        return made;
    }

    private void begin(String name, String how, Path target) throws Exception {
        String code = FolderOwner.class.getName().replace('.', '/') + ".class";
        Path copy = parent.resolve("classes").resolve(code);
        Files.createDirectories(copy.getParent());
        try (InputStream compiled = FolderOwner.class.getClassLoader().getResourceAsStream(code)) {
            Files.copy(compiled, copy);
        }
        run(FolderOwner.class, directory.toString(), name, how, target.toString());
        String begun = owner.inputReader().readLine();
        assumeThat(begun).as("another user can run this Java").isEqualTo("begun");
    }

    private void run(Class<?> program, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--reuid=" + OWNER, "--regid=" + OWNER, "--clear-groups"));
        command.addAll(JvmCommand.java("-cp", parent.resolve("classes").toString(), program.getName()));
        command.addAll(List.of(arguments));
        owner = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Prepares the table repeatedly, as JVMs do at their start. */
    private void start() throws Exception {
        repeat(() -> {
            try (LeaseStore store = LeaseStore.in(directory, null, processes, warning -> {})) {
                store.prepare(List.of());
            }
        });
    }

    /** Creates a directory as a JVM does, with a name that is known in advance, repeatedly. */
    private void makeDirectory() throws Exception {
        repeat(() -> {
            try (SharedFolder folder = SharedFolder.at(directory)) {
                Optional<SharedFolder> made = folder.make("made", 0755);
                if (made.isPresent()) {
                    made.get().close();
                    folder.delete("made");
                }
            }
        });
    }

    private interface Step {
        void take() throws IOException;
    }

    private void repeat(Step step) throws Exception {
        int refused = 0;
        for (int i = 0; i < STARTS; i++) {
            try {
                step.take();
            } catch (LeaseTableException | IOException exchanged) {
                refused++;
            }
        }
        owner.outputWriter().write("end");
        owner.outputWriter().flush();
        assertThat(owner.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        int exchanges = Integer.parseInt(owner.inputReader().readLine());
        assertThat(exchanges)
                .as("exchanges during starts of which %s were refused", refused)
                .isPositive();
    }

    private static Map<String, Object> attributes(Path path) throws IOException {
        return Files.readAttributes(path, "unix:mode,uid,gid,size", LinkOption.NOFOLLOW_LINKS);
    }

    private Path secret(Path place) throws IOException {
        Path secret = Files.writeString(place, "precious");
        Files.setAttribute(secret, "unix:mode", 0600);
        return secret;
    }

    @Test
    void rootDoesNotFollowLinkInPlaceOfTableFile() throws Exception {
        // given
        Path secret = secret(parent.resolve("secret"));
        Map<String, Object> before = attributes(secret);
        begin("leases-1", "link", secret);

        // when
        start();

        // then
        assertThat(attributes(secret)).isEqualTo(before);
        assertThat(secret).hasContent("precious");
    }

    @Test
    void rootChangesNoFileMovedToTablePath() throws Exception {
        // given
        Path secret = secret(home.resolve("secret"));
        Map<String, Object> before = attributes(secret);
        begin("leases-1", "move", secret);

        // when
        start();

        // then
        assertThat(attributes(secret)).isEqualTo(before);
        assertThat(secret).hasContent("precious");
    }

    @Test
    void rootChangesNoDirectoryMovedToJvmPath() throws Exception {
        // given: a directory of another user may be moved only within its directory
        Path hidden = Files.createDirectory(directory.resolve("hidden"));
        secret(hidden.resolve("secret"));
        Files.setAttribute(hidden, "unix:mode", 0700);
        Map<String, Object> before = attributes(hidden);
        begin("made", "move", hidden);

        // when
        makeDirectory();

        // then
        assertThat(attributes(hidden)).isEqualTo(before);
        assertThat(hidden.resolve("secret")).hasContent("precious");
        assertThat(hidden.toFile().list()).containsExactly("secret");
    }

    @Test
    void rootSharesTableWithOwnerOfDirectory() throws Exception {
        // given
        copyClasses();
        try (LeaseStore store = LeaseStore.in(directory, null, processes, warning -> {})) {

            // when
            store.await(Duration.ofMillis(1));
            run(OtherUser.class, directory.toString());

            // then
            String found = owner.inputReader().readLine();
            assumeThat(found).as("another user can run this Java").isNotNull();
            assertThat(found).isEqualTo(store.self() + " lives: true");
            assertThat(owner.inputReader().readLine()).isEqualTo("leased: true");
            assertThat(store.cores().take(OtherUser.claim(store))).contains(OtherUser.CORE);
            assertThat(store.cores().lock(CoreSlots.slots(List.of(OtherUser.CORE))))
                    .isPresent();
            String other = Arrays.stream(directory.toFile().list())
                    .filter(name -> name.startsWith("jvm-") && !name.equals(store.self()))
                    .findFirst()
                    .orElseThrow();
            assertThat(store.isAlive(other)).isTrue();
            assertThat(Files.getAttribute(directory.resolve(other), "unix:uid")).isEqualTo(OWNER);
            long began = System.nanoTime();
            store.await(Patience.LIMIT);
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("until it was rung")
                    .isLessThan(Patience.LIMIT);

            // when
            owner.destroyForcibly().waitFor();

            // then
            assertThat(store.isAlive(other)).isFalse();
            Patience.await()
                    .until(() -> store.cores()
                            .lock(CoreSlots.slots(List.of(OtherUser.CORE)))
                            .isEmpty());
        }
    }

    @Test
    void closedDirectoryOfRootIsRefusedWithModeAndOwner() throws Exception {
        // given a JVM that was killed before it opened its directory to all
        copyClasses();
        Path closed = Files.createDirectory(parent.resolve("closed"));
        Files.setAttribute(closed, "unix:mode", 0700);

        // when
        run(OtherUser.class, closed.toString());

        // then
        String refusal = owner.inputReader().readLine();
        assumeThat(refusal).as("another user can run this Java").isNotNull();
        assertThat(refusal).contains("access to %s is denied: its mode is 0700 and its owner root".formatted(closed));
    }

    private void copyClasses() throws Exception {
        for (Class<?> each : List.of(LeaseStore.class, OtherUser.class)) {
            copy(Path.of(
                    each.getProtectionDomain().getCodeSource().getLocation().toURI()));
        }
    }

    private void copy(Path classes) throws IOException {
        assumeThat(classes).as("the classes are in files").isDirectory();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                Path copy = parent.resolve("classes")
                        .resolve(classes.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }
}
