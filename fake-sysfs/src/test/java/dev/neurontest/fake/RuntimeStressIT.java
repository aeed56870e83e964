package dev.neurontest.fake;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with many threads and many rounds in a program that is linked to the library. */
@Tag("stress")
class RuntimeStressIT {

    private static final int THREADS = 4;
    private static final int EXECUTIONS = 200;
    private static final int EVENTS = 20;

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireLibrary() {
        RuntimeProgramFixture.requireLibrary();
    }

    @Test
    void threadsExecuteWhileAnotherReadsEvents() throws Exception {
        try (FakeNeuronHost host =
                        FakeNeuronHost.builder().instance("trn2.3xlarge").start();
                RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
            String neff = neff(host);
            program.succeed("init");

            assertThat(program.say("threads " + neff + " " + THREADS + " " + EXECUTIONS))
                    .isEqualTo("0 events " + THREADS * EXECUTIONS * EVENTS);
        }
    }

    @Test
    void closeEndsExecutingAndReadingThreads() throws Exception {
        try (FakeNeuronHost host =
                        FakeNeuronHost.builder().instance("trn2.3xlarge").start();
                RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
            String neff = neff(host);
            for (int round = 0; round < 5; round++) {
                program.succeed("init");

                assertThat(program.say("threads " + neff + " " + THREADS + " " + EXECUTIONS + " close"))
                        .startsWith("14 events ");
                await().until(() -> host.processes().isEmpty());
            }
        }
    }

    @Test
    void cyclesOfModelsAndTensorsLeaveNothingBehind() throws Exception {
        try (FakeNeuronHost host = FakeNeuronHost.builder().start();
                RuntimeProgramFixture program = RuntimeProgramFixture.start(host, Map.of())) {
            Path neff = FakeNeff.builder().write(folder.resolve("k.neff"));
            program.succeed("init", "cycles " + neff + " 100");
            long before = allocated(program);

            program.succeed("cycles " + neff + " 1000");

            assertThat(allocated(program)).as("bytes after 1000 cycles").isLessThan(before + 1000 * 8);
            assertThat(program.say("memory 0")).startsWith("0 used 0 ");
            assertThat(Files.list(host.directory().resolve(".runtime"))).isEmpty();
        }
    }

    private String neff(FakeNeuronHost host) throws Exception {
        host.runtime().neff("acc").print(FakePrint.of("acc", "int32", 1).times(EVENTS));
        return FakeNeff.builder()
                .name("acc")
                .lnc(2)
                .write(folder.resolve("acc.neff"))
                .toString();
    }

    /**
     * Returns the bytes that the program has allocated and not freed. Mapped memory and the counts of the kernel would
     * vary randomly.
     */
    private static long allocated(RuntimeProgramFixture program) throws Exception {
        String answer = program.say("heap");
        assertThat(answer).startsWith("0 ");
        return Long.parseLong(answer.substring(2));
    }
}
