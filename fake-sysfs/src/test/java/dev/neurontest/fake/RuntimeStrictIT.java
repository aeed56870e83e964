package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of programs that break a contract of the headers, which the library reports in strict mode. */
class RuntimeStrictIT {

    private static final int ABORTED = 128 + 6;

    @TempDir
    private Path folder;

    @AutoClose
    private FakeNeuronHost host;

    private String neff;

    @BeforeEach
    void start() throws Exception {
        RuntimeProgramFixture.requireLibrary();
        host = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
        host.runtime().neff("k").print(FakePrint.of("x", "int32", 1).times(4));
        neff = FakeNeff.builder().name("k").write(folder.resolve("k.neff")).toString();
    }

    private void breakIt(RuntimeProgramFixture program, String calls, String reason) throws Exception {
        String[] each = calls.replace("NEFF", neff).split("; ");
        for (int i = 0; i < each.length - 1; i++) {
            program.succeed(each[i]);
        }
        program.begin(each[each.length - 1]);
        assertThat(program.end()).as(program.err()).isNull();
        assertThat(program.exitCode()).isEqualTo(ABORTED);
        assertThat(program.err())
                .contains("libnrt: a contract is broken: ")
                .contains(reason)
                .contains("libnrt.so.1(nrt_")
                .contains("runtime_calls(");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "init; allocate a 0 8; stale a| is not a valid tensor: it was freed, or it never was one",
                "init; load NEFF 0 1; unload-twice 0| is not a valid model: it was freed",
                "init; allocate a 0 8; input a a; free a| is freed before its tensor set is destroyed",
                "init; load NEFF 0 1; close| nrt_close was called before nrt_unload",
                "init; connect 0; close| nrt_close was called before nrt_debug_client_connect_close",
                "init; ucode| nrt_set_pool_eng_ucode was called after nrt_init",
                "init; trace-start; trace-onto| is not NULL before",
                "init; allocate a 0 8; device-copy-beyond a| 2 bytes from 0x",
            })
    void programBreakingAContractAborts(String calls, String reason) throws Exception {
        try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host, Map.of("NEURON_FAKE_STRICT", "1"))) {
            breakIt(program, calls, reason);
        }
    }

    @ParameterizedTest
    @CsvSource({"steal", "close-descriptor"})
    void programTouchingStreamDescriptorAborts(String touch) throws Exception {
        try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host, Map.of("NEURON_FAKE_STRICT", "1"))) {
            program.succeed("init", "load " + neff + " 0 1");
            String stream = program.say("connect 0").split(" ")[2];
            program.succeed("execute 0", "event " + stream);

            String calls = touch.equals("steal") ? "steal S; steal S; steal S; event S" : "close-descriptor S; event S";
            breakIt(program, calls.replace("S", stream), "of a debug stream was read or closed");
        }
    }

    @Test
    void strictHostAbortsProgramBreakingAContract() throws Exception {
        host.runtime().strict();
        try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
            breakIt(program, "init; allocate a 0 8; stale a", "is not a valid tensor");
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "0"})
    void correctOrUncheckedProgramContinues(String strict) throws Exception {
        try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host, Map.of("NEURON_FAKE_STRICT", strict))) {
            program.succeed("ucode", "init", "load " + neff + " 0 1", "allocate a 0 8");
            String stream = program.say("connect 0").split(" ")[2];
            program.succeed("execute 0", "input a a", "event " + stream, "trace-start", "trace-fetch", "trace-stop");
            program.succeed("inspect " + folder, "device-copy a xyz", "infos 0", "disconnect " + stream);
            program.succeed("clear-sets", "free a", "unload 0", "close");
            if (strict.equals("0")) {
                program.succeed("init", "load " + neff + " 0 1", "connect 0", "allocate a 0 8", "stale a", "close");
            }
            assertThat(program.err()).doesNotContain("contract");
        }
    }
}
