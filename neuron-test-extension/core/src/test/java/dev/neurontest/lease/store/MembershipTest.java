package dev.neurontest.lease.store;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembershipTest {

    @TempDir
    Path table;

    private SharedFolder folder;
    private Membership membership;

    @BeforeEach
    void join() throws IOException {
        folder = SharedFolder.at(table);
        membership = Membership.in(folder);
    }

    @AfterEach
    void leave() throws IOException {
        membership.close();
        folder.close();
    }

    /** Waits on a thread of its own for much longer than a test takes. */
    private FutureTask<Boolean> waits() {
        FutureTask<Boolean> waits = new FutureTask<>(() -> {
            membership.await(Patience.LIMIT.multipliedBy(10));
            return true;
        });
        Thread thread = new Thread(waits);
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return waits;
    }

    private static void assertWoken(FutureTask<Boolean> waits) throws Exception {
        assertThat(waits.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void nameOfTheJvmOutlivesSystemProperties() throws Exception {
        // given
        String name = Membership.jvm();
        List<URL> classes = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(":")) {
            classes.add(Path.of(entry).toUri().toURL());
        }

        // when: what was set since a test began is removed after it
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("dev.neurontest."));

        // then
        assertThat(Membership.jvm()).isEqualTo(name);
        try (URLClassLoader loader =
                new URLClassLoader(classes.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Method other = loader.loadClass(Membership.class.getName()).getDeclaredMethod("jvm");
            other.setAccessible(true);
            assertThat(other.invoke(null)).as("with another class loader").isEqualTo(name);
        }
    }

    @Test
    void isWokenByTheBell() throws Exception {
        // given
        FutureTask<Boolean> waits = waits();

        // when
        Membership.ring(folder, membership.name());

        // then
        assertWoken(waits);
    }

    @Test
    void isWokenAgainAndAgain() throws Exception {
        for (int time = 0; time < 3; time++) {
            // given
            FutureTask<Boolean> waits = waits();

            // when
            membership.ringSelf();

            // then
            assertWoken(waits);
        }
    }

    @Test
    void waitsNoLongerWhenItIsOver() throws Exception {
        // given
        FutureTask<Boolean> waits = waits();

        // when
        membership.close();

        // then
        assertWoken(waits);
        assertThat(table).isEmptyDirectory();
    }

    @Test
    void hasANameOfItsOwnInOneJvm() throws IOException {
        // when
        Membership other = Membership.in(folder);

        // then
        assertThat(membership.name()).endsWith("-1");
        assertThat(other.name()).endsWith("-2");
        assertThat(table.resolve(other.name()).resolve("bell")).hasContent("!");
        assertThat(Membership.isOfThisJvm(other.name())).isTrue();
        assertThat(Membership.isOfThisJvm(membership.name())).isTrue();
        assertThat(Membership.jvm())
                .startsWith(ProcessHandle.current().pid() + "-")
                .isEqualTo(Membership.jvm());
        other.close();
    }

    @Test
    void livesAsLongAsItsFileIsLocked() throws IOException {
        // given: what a JVM left that is no more
        Path dead = Files.createDirectory(table.resolve("jvm-999999999-0f0f0f0f-1"));
        Files.setAttribute(Files.createFile(dead.resolve("alive")), "unix:mode", 0666);

        // then
        assertThat(Membership.isAlive(folder, dead.getFileName().toString())).isFalse();
        assertThat(Membership.isAlive(folder, membership.name())).isTrue();
    }

    @Test
    void takesNoHarmWhereNoneHearsTheBell() throws IOException {
        // when
        Membership.ring(folder, "jvm-999999999-0f0f0f0f-1");

        // then
        assertThat(table.resolve("jvm-999999999-0f0f0f0f-1")).doesNotExist();
    }
}
