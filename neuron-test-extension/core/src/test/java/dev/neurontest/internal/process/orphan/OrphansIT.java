package dev.neurontest.internal.process.orphan;

import static dev.neurontest.internal.process.ProcessFixture.dead;
import static dev.neurontest.internal.process.ProcessFixture.endingWith;
import static dev.neurontest.internal.process.ProcessFixture.isGone;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.jvm.JvmCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrphansIT {

    private final List<Process> started = new ArrayList<>();

    private Process start(ProcessIdentity jvm, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(endingWith(jvm));
        builder.environment().put("NEURON_PROCESS_TAG", "FooTest > bar()");
        Process process = builder.start();
        started.add(process);
        return process;
    }

    @AfterEach
    void end() {
        started.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
    }

    @Test
    void processOfDeadJvmIsEndedWithItsChildren() throws Exception {
        // given
        Process shell =
                start(dead(), "/bin/sh", "-c", "trap '' TERM; (trap '' TERM; sleep 600; sleep 600) & echo $!; wait");
        long grandchild = Long.parseLong(shell.inputReader().readLine());

        // when
        Orphans.Outcome outcome = Orphans.end();

        // then
        await().until(() -> isGone(shell.pid()) && isGone(grandchild));
        assertThat(outcome.left()).isEmpty();
        assertThat(Orphans.find()).extracting(Orphan::pid).doesNotContain(shell.pid(), grandchild);
    }

    @Test
    void processOfLivingJvmIsLeftAlone() throws Exception {
        // given
        Process sleep = start(ProcessTable.shownSelf().orElseThrow(), "sleep", "600");

        // when
        Orphans.end();

        // then
        assertThat(sleep.isAlive()).isTrue();
    }

    @Test
    void processWithoutTokenIsLeftAlone() throws Exception {
        // given
        Process sleep = new ProcessBuilder("sleep", "600").start();
        started.add(sleep);

        // when
        Orphans.end();

        // then
        assertThat(sleep.isAlive()).isTrue();
    }

    @Test
    void processOfAnotherUserIsLeftAlone() throws Exception {
        // given
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        assumeThat(Path.of("/usr/bin/setpriv")).isExecutable();
        Process shell = start(
                dead(), "setpriv", "--reuid", "65534", "--clear-groups", "/bin/sh", "-c", "echo begun; exec sleep 600");
        assertThat(shell.inputReader().readLine()).isEqualTo("begun");

        // when
        Orphans.end();

        // then
        assertThat(shell.isAlive()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "unset NEURONTEST_PROCESS_TREE; "})
    void jvmStartedByDeadJvmSurvivesWithParentAndChild(String before) throws Exception {
        // given
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", before + "\"$@\"; echo parent", "sh"));
        command.addAll(JvmCommand.program(Reaper.class));

        // then, although the JVM of another test may end an apparent orphan too
        await().untilAsserted(() -> {
            Process shell = start(dead(), command.toArray(String[]::new));
            assertThat(shell.inputReader().lines()).containsExactly("true", "parent");
        });
    }

    /** The main class of that JVM. */
    static final class Reaper {

        private Reaper() {}

        public static void main(String[] arguments) throws IOException {
            Process own = new ProcessBuilder("sleep", "600").start();
            Orphans.end();
            System.out.println(own.isAlive());
            own.destroyForcibly();
        }
    }

    @Test
    void orphanIsNamedWithTestAndMaskedCommand() {
        // when
        Orphan orphan = Orphan.of(
                12,
                List.of("serve", "--password", "hunter2", "\u001b[31mred\n"),
                Map.of("NEURON_PROCESS_TAG", "FooTest > bar()\u202e"),
                new ProcessIdentity(11, 1, "here", "me"));

        // then
        assertThat(orphan)
                .hasToString(
                        "pid 12 (serve --password *** \\u001b[31mred\\u000a) of FooTest > bar()\\u202e, started by the dead JVM 11");
        assertThat(Orphan.of(12, List.of("x".repeat(300)), Map.of(), new ProcessIdentity(11, 1, "here", "me")))
                .hasToString("pid 12 (" + "x".repeat(200) + "...) of an unnamed test, started by the dead JVM 11");
    }
}
