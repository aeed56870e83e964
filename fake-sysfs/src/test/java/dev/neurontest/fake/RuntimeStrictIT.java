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

    private RuntimeProgramFixture startStrict() throws Exception {
        return RuntimeProgramFixture.start(host, Map.of("NEURON_FAKE_STRICT", "1"));
    }

    private String connect(RuntimeProgramFixture program) throws Exception {
        return program.say("connect 0").split(" ")[2];
    }

    private void breakIt(RuntimeProgramFixture program, String calls, String reason, String function) throws Exception {
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
                .contains(". Contract of " + function + " in nrt/")
                .contains("libnrt.so.1(nrt_")
                .contains("runtime_calls(");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "init; allocate a 0 8; stale a| is not a valid tensor: it was freed, or it never was one| nrt_tensor_free",
                "init; load NEFF 0 1; unload-twice 0| is not a valid model: it was freed| nrt_unload",
                "init; load NEFF 0 1; close; init; unload 0| is not a valid model: it was freed| nrt_unload",
                "init; allocate a 0 8; input a a; free a| \"a\" is freed before its tensor set is destroyed"
                        + "| nrt_add_tensor_to_tensor_set",
                "init; ucode| nrt_set_pool_eng_ucode was called after nrt_init| nrt_set_pool_eng_ucode",
                "init; trace-start; trace-onto| before the call| nrt_sys_trace_fetch_events",
                "init; allocate a 0 8; device-copy-beyond a| 2 bytes from 0x| nrt_memcpy_to_device",
                "init; attach a 8; device-copy a x| 1 bytes from 0x| nrt_memcpy_to_device",
                "free-names| 3 names are freed in an array of 2 names| nrt_sys_trace_free_event_types",
                "init; load NEFF 0 1; profile-start 0 x.ntff; profile-stop y.ntff| another file name than y.ntff"
                        + "| nrt_profile_start",
                "init; event 99| 99 is not a debug stream: it was closed| nrt_debug_client_connect_close",
                "init; disconnect 99| 99 is not a debug stream: it was closed| nrt_debug_client_connect_close",
            })
    void programBreakingAContractAborts(String calls, String reason, String function) throws Exception {
        try (RuntimeProgramFixture program = startStrict()) {
            breakIt(program, calls, reason, function);
        }
    }

    @ParameterizedTest
    @CsvSource({"steal", "close-descriptor"})
    void programTouchingStreamDescriptorAborts(String touch) throws Exception {
        try (RuntimeProgramFixture program = startStrict()) {
            program.succeed("init", "load " + neff + " 0 1");
            String stream = connect(program);
            program.succeed("execute 0", "event " + stream);

            String calls = touch.equals("steal") ? "steal S; steal S; steal S; event S" : "close-descriptor S; event S";
            breakIt(
                    program,
                    calls.replace("S", stream),
                    "of a debug stream was read or closed",
                    "nrt_debug_client_read_one_event");
        }
    }

    @Test
    void programReadingStreamInTwoThreadsAborts() throws Exception {
        try (RuntimeProgramFixture program = startStrict()) {
            program.succeed("init");
            breakIt(
                    program,
                    "read-in-two-threads " + connect(program),
                    "two threads read the debug stream",
                    "nrt_debug_client_read_one_event");
        }
    }

    @Test
    void programClosingStreamDuringReadAborts() throws Exception {
        // given: a payload that takes the reader some time
        host.runtime().reset().neff("k").event(1, 64 << 20, new byte[0]);
        try (RuntimeProgramFixture program = startStrict()) {
            program.succeed("init", "load " + neff + " 0 1");
            breakIt(
                    program,
                    "close-while-reading 0",
                    "is closed while another thread reads it",
                    "nrt_debug_client_read_one_event");
        }
    }

    @Test
    void childReadingStreamOfParentAborts() throws Exception {
        try (RuntimeProgramFixture program = startStrict()) {
            program.succeed("init");
            program.begin("child event " + connect(program));

            // then: the parent continues
            assertThat(program.say("visible")).startsWith("0 ");
            assertThat(program.err())
                    .contains("a child created by fork reads the debug stream")
                    .contains(
                            "Contract of nrt_debug_client_read_one_event in nrt/ndebug_stream.h: only the process that");
        }
    }

    @Test
    void strictHostAbortsProgramBreakingAContract() throws Exception {
        host.runtime().strict();
        try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
            breakIt(program, "init; allocate a 0 8; stale a", "is not a valid tensor", "nrt_tensor_free");
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "0"})
    void correctOrUncheckedProgramContinues(String strict) throws Exception {
        try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host, Map.of("NEURON_FAKE_STRICT", strict))) {
            program.succeed("ucode", "init", "load " + neff + " 0 1", "allocate a 0 8");
            String stream = connect(program);
            program.succeed("execute 0", "input a a", "event " + stream, "trace-start", "trace-fetch", "trace-stop");
            program.succeed("inspect " + folder, "device-copy a xyz", "infos 0", "disconnect " + stream, "own-free a");
            program.succeed("clear-sets", "free a", "unload 0", "close");
            if (strict.equals("0")) {
                program.succeed("init", "load " + neff + " 0 1", "allocate a 0 8", "stale a", "free-names", "close");
            }
            assertThat(program.err()).doesNotContain("contract");
        }
    }

    /** Verifies that a program may close the runtime first, because no contract forbids this order. */
    @Test
    void programMayCloseBeforeItReleasesItsResources() throws Exception {
        try (RuntimeProgramFixture program = startStrict()) {
            program.succeed("init", "load " + neff + " 0 1", "allocate a 0 8", "allocate b 0 8", "input a a");
            program.succeed("trace-start");
            String stream = connect(program);

            // when
            program.succeed("close");

            // then
            assertThat(program.say("unload 0")).isEqualTo("14");
            assertThat(program.say("free b")).isEqualTo("0 null");
            program.succeed("disconnect " + stream, "init", "load " + neff + " 0 1", "execute 1");
            assertThat(program.err()).doesNotContain("contract");
        }
    }

    @Test
    void programMayCloseWhileItsThreadsExecute() throws Exception {
        try (RuntimeProgramFixture program = startStrict()) {
            program.succeed("init");
            assertThat(program.say("threads " + neff + " 2 10000 close")).startsWith("14 events ");
            assertThat(program.err()).doesNotContain("contract");
        }
    }
}
