package dev.neurontest.fake;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The debug stream of the library, read by a C program with the structures of the public header. */
class DebugStreamIT {

    private static final int BURST = 65_536;

    @AutoClose
    private static FakeNeuronHost host;

    @TempDir
    private static Path folder;

    private static Path neff;

    private RuntimeProgramFixture program;

    @BeforeAll
    static void startHost() throws Exception {
        RuntimeProgramFixture.requireLibrary();
        host = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
        neff = FakeNeff.builder().name("acc").write(folder.resolve("acc.neff"));
    }

    @BeforeEach
    void startProgram() throws Exception {
        start(Map.of());
    }

    @AfterEach
    void endProgram() throws Exception {
        program.close();
        await().until(() -> host.processes().isEmpty());
        host.runtime().reset();
    }

    private void start(Map<String, String> variables) throws Exception {
        program = RuntimeProgramFixture.start(host, variables);
        program.succeed("init", "load " + neff + " 0 1");
    }

    private void restart(Map<String, String> variables) throws Exception {
        program.close();
        await().until(() -> host.processes().isEmpty());
        start(variables);
    }

    /** Returns the descriptor. */
    private String connect(int core) throws Exception {
        String answer = program.say("connect " + core);
        assertThat(answer).startsWith("0 stream ");
        return answer.split(" ")[2];
    }

    @Test
    void carriesScriptedPrint() throws Exception {
        host.runtime()
                .neff("acc")
                .print(FakePrint.of("acc", "float32", 2, 2).arange().pipe(1));
        String stream = connect(0);

        program.succeed("execute 0");

        assertThat(program.say("event " + stream))
                .isEqualTo("0 type 1 size 1040 prefix acc core 0 pipe 1 dtype float32 shape 2x2 bytes 16"
                        + " reserved 00000000 data 000000000000803f0000004000004040");
        assertThat(program.say("event " + stream)).isEqualTo("15");
    }

    @Test
    void dropsUnreadableEventAndContinues() throws Exception {
        host.runtime()
                .neff("acc")
                .event((long) NrtStatus.NRT_RESOURCE.code() << Integer.SIZE, 0, new byte[0])
                .print(FakePrint.of("acc", "int32", 1));
        String stream = connect(0);

        program.succeed("execute 0");

        assertThat(program.say("event " + stream)).startsWith("4");
        assertThat(program.say("event " + stream)).startsWith("0 type 1 ");
        assertThat(program.say("event " + stream)).isEqualTo("15");
    }

    @Test
    void descriptorIsAnInheritableSemaphore() throws Exception {
        host.runtime().neff("acc").print(FakePrint.of("acc", "int32", 1).times(3));
        String answer = program.say("connect 0");
        assertThat(answer).endsWith(" close-on-exec 0 non-blocking 1");
        String stream = answer.split(" ")[2];

        assertThat(program.say("poll " + stream)).isEqualTo("0 events 0");
        assertThat(program.say("steal " + stream)).isEqualTo("0 got -1 number 0");
        program.succeed("execute 0");

        assertThat(program.say("poll " + stream)).isEqualTo("1 events 1");
        program.succeed("event " + stream, "event " + stream);
        assertThat(program.say("poll " + stream)).as("one is left").isEqualTo("1 events 1");
        program.succeed("event " + stream);
        assertThat(program.say("poll " + stream)).isEqualTo("0 events 0");
    }

    @Test
    void readingTheDescriptorLosesWakeUpsButNoEvents() throws Exception {
        host.runtime().neff("acc").print(FakePrint.of("acc", "int32", 1).times(2));
        String stream = connect(0);
        program.succeed("execute 0");

        assertThat(program.say("steal " + stream)).isEqualTo("0 got 8 number 1");
        assertThat(program.say("steal " + stream)).isEqualTo("0 got 8 number 1");

        assertThat(program.say("poll " + stream)).isEqualTo("0 events 0");
        program.succeed("event " + stream, "event " + stream);
        assertThat(program.say("event " + stream)).isEqualTo("15");
    }

    @Test
    void allowsOneClientPerCore() throws Exception {
        String stream = connect(0);

        assertThat(program.say("connect 0")).startsWith("2");
        connect(1);
        assertThat(program.say("connect 2")).startsWith("2");
        assertThat(program.say("connect -1")).startsWith("2");

        program.succeed("disconnect " + stream);
        connect(0);
    }

    @Test
    void deliversEventsToTheClientOfTheirCore() throws Exception {
        host.runtime().neff("acc").print(FakePrint.of("acc", "int32", 1));
        program.succeed("load " + neff + " 1 1");
        String first = connect(0);
        String second = connect(1);

        program.succeed("execute 1");

        assertThat(program.say("event " + first)).isEqualTo("15");
        assertThat(program.say("event " + second)).contains(" core 1 ");
        host.runtime().neff("acc").print(FakePrint.of("other", "int32", 1).coreId(77));
        program.succeed("execute 1", "event " + second);
        assertThat(program.say("event " + second)).contains("prefix other core 77 ");
    }

    @Test
    void deliversEventsOnlyWhileClientIsConnected() throws Exception {
        host.runtime().neff("acc").print(FakePrint.of("acc", "int32", 1).times(5));
        program.succeed("execute 0");

        String stream = connect(0);
        assertThat(program.say("event " + stream)).isEqualTo("15");

        program.succeed("execute 0", "disconnect " + stream);
        assertThat(program.say("event " + stream)).isEqualTo("2");
        stream = connect(0);
        assertThat(program.say("event " + stream)).isEqualTo("15");

        program.succeed("execute 0", "close");
        assertThat(program.say("event " + stream)).isEqualTo("14");
        assertThat(program.say("disconnect " + stream)).isEqualTo("0");
        assertThat(program.say("child event " + stream)).isEqualTo("1");
    }

    @Test
    void bufferHolds65536EventsByDefaultAndDropsMore() throws Exception {
        NeffScript script = host.runtime().neff("acc");
        script.print(FakePrint.of("acc", "int32", 1).times(BURST).sequence());
        String stream = connect(0);

        program.succeed("execute 0");
        assertThat(program.say("drain " + stream)).isEqualTo("15 events " + BURST + " out-of-sequence 0");
        assertThat(program.say("poll " + stream)).isEqualTo("0 events 0");

        script.print(FakePrint.of("more", "int32", 1));
        program.succeed("execute 0");
        assertThat(program.say("drain " + stream)).isEqualTo("15 events " + BURST + " out-of-sequence 0");
    }

    @Test
    void bufferSizeFollowsTheEnvironment() throws Exception {
        restart(Map.of("NEURON_RT_DEBUG_STREAM_BUFFER_SIZE", "4"));
        host.runtime()
                .neff("acc")
                .print(FakePrint.of("acc", "int32", 1).times(10).sequence());
        String stream = connect(0);

        program.succeed("execute 0");

        assertThat(program.say("drain " + stream)).isEqualTo("15 events 4 out-of-sequence 0");
        program.succeed("execute 0", "event " + stream, "event " + stream);
        assertThat(program.say("event " + stream)).endsWith("data 02000000");
    }

    @Test
    void carriesPrintsOfFailedAndHungExecutions() throws Exception {
        restart(Map.of("NEURON_RT_EXEC_TIMEOUT", "1"));
        host.runtime().neff("acc").print(FakePrint.of("before", "int32", 1));
        NeffScript end = host.runtime().neff("acc").status(NrtStatus.NRT_EXEC_OOB);
        String stream = connect(0);

        assertThat(program.say("execute 0")).isEqualTo("1006");
        assertThat(program.say("event " + stream)).contains("prefix before ");

        end.reset().hangs();
        program.begin("execute 0");
        assertThat(program.end()).isEqualTo("5");
        assertThat(program.say("event " + stream)).contains("prefix before ");
    }

    @Test
    void keepsTheOrderOfTheScripts() throws Exception {
        host.runtime().neff("acc").print(FakePrint.of("a", "int32", 1)).print(FakePrint.of("b", "int32", 1));
        host.runtime().neff("acc").print(FakePrint.of("c", "int32", 1)).times(1);
        String stream = connect(0);

        program.succeed("execute 0", "execute 0");

        for (String prefix : new String[] {"a", "b", "c", "a", "b"}) {
            assertThat(program.say("event " + stream)).contains(" prefix " + prefix + " ");
        }
        assertThat(program.say("event " + stream)).isEqualTo("15");
    }

    @Test
    void carriesMalformedEvents() throws Exception {
        byte[] endless = FakePrint.of("", "float32", 1).payload(0);
        Arrays.fill(endless, 0, 512, (byte) 'x');
        byte[] oversized = FakePrint.of("lie", "int8", 3).payload(0);
        Arrays.fill(oversized, 600, 608, (byte) -1);
        host.runtime()
                .neff("acc")
                .event(1, endless.length, endless)
                .event(1, oversized.length, oversized)
                .event(7, 4, new byte[] {1, 2, 3, 4})
                .event(0, 0, new byte[0])
                .event(1, 100, new byte[] {5})
                .event(1, 2, new byte[] {6, 6, 6, 6})
                .event(1, Long.MIN_VALUE, new byte[0]);
        String stream = connect(0);
        program.succeed("execute 0");

        assertThat(program.say("event " + stream)).contains(" prefix " + "x".repeat(512) + " core 0 ");
        assertThat(program.say("event " + stream)).contains(" bytes 18446744073709551615 ");
        assertThat(program.say("event " + stream)).isEqualTo("0 type 7 size 4 payload 01020304");
        assertThat(program.say("event " + stream)).isEqualTo("0 type 0 size 0 payload ");
        assertThat(program.say("event " + stream)).isEqualTo("0 type 1 size 100 payload 05" + "00".repeat(31));
        assertThat(program.say("event " + stream)).isEqualTo("0 type 1 size 2 payload 0606");
        assertThat(program.say("event " + stream)).isEqualTo("0 type 1 size 9223372036854775808 payload ");
        assertThat(program.say("event " + stream)).isEqualTo("15");
    }
}
