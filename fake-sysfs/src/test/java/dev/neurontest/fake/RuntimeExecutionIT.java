package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.read;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.internal.control.CommandSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of models, tensors and executions of a program that is linked to the library of a host. */
class RuntimeExecutionIT {

    private static final String CORE = "neuron0/neuron_core0/stats/";

    @AutoClose
    private static FakeNeuronHost host;

    @TempDir
    private Path folder;

    private RuntimeProgramFixture program;

    @BeforeAll
    static void startHost() {
        RuntimeProgramFixture.requireLibrary();
        host = FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .layout("driver-2.30")
                .start();
    }

    @BeforeEach
    void startProgram() throws Exception {
        program = RuntimeProgramFixture.start(host, Map.of("NEURON_RT_EXEC_TIMEOUT", "1"));
        program.succeed("init");
    }

    @AfterEach
    void endProgram() throws Exception {
        program.close();
        await().until(() -> host.processes().isEmpty());
        host.runtime().reset();
    }

    private String neff(FakeNeff.Builder builder) throws IOException {
        return builder.write(folder.resolve("model.neff")).toString();
    }

    /** Loads a model with two inputs and one output and binds its tensors. */
    private void loadAdd() throws IOException {
        program.succeed(
                "load "
                        + neff(FakeNeff.builder()
                                .name("add")
                                .input("a", "float32", 2, 2)
                                .input("b", 16)
                                .output("c", "float32", 2, 2))
                        + " 0 1",
                "allocate a 0 16",
                "allocate b 0 16",
                "allocate c 0 16",
                "input a a",
                "input b b",
                "output c c");
    }

    private static long number(String file) throws IOException {
        return Long.parseLong(read(host, file).strip());
    }

    @Nested
    class Models {

        @Test
        void describeTheirTensors() throws Exception {
            program.succeed("load "
                    + neff(FakeNeff.builder()
                            .input("in 1%", "bfloat16", 128, 512)
                            .input("raw", 4096)
                            .output("é", "float8_e4m3", 7)
                            .output("s", "float32"))
                    + " 0 1");

            assertThat(program.say("infos 0"))
                    .isEqualTo("0 input \"in 1%\" size 131072 dtype 6 shape 128x512"
                            + " input \"raw\" size 4096 dtype 0 shape 4096"
                            + " output \"Ã©\" size 7 dtype 14 shape 7"
                            + " output \"s\" size 4 dtype 10 shape"
                            + " freed 0");
        }

        @Test
        void areCountedAndOccupyMemoryUntilUnloaded() throws Exception {
            long loads = number(CORE + "other_info/model_load_count/total");
            String neff = neff(FakeNeff.builder());
            long bytes = (Files.size(Path.of(neff)) + 4095) / 4096 * 4096;

            program.succeed("load " + neff + " 0 1");

            assertThat(number(CORE + "other_info/model_load_count/total")).isEqualTo(loads + 1);
            assertThat(number(CORE + "memory_usage/device_mem/model_code/total"))
                    .isEqualTo(bytes);
            assertThat(program.say("memory 0")).startsWith("0 used " + bytes + " ");
            assertThat(program.say("model-counts 0")).isEqualTo("0 cores 1 1 instances 1");

            program.succeed("unload 0");

            assertThat(number(CORE + "memory_usage/device_mem/model_code/total"))
                    .isZero();
            assertThat(program.say("memory 0")).startsWith("0 used 0 ");
            assertThat(program.say("unload 0")).isEqualTo("3");
            assertThat(program.say("execute 0")).isEqualTo("3");
        }

        @Test
        void loadOntoTheNextCoreByDefault() throws Exception {
            String neff = neff(FakeNeff.builder());

            assertThat(program.say("load " + neff + " -1")).isEqualTo("0 model 0 core 0");
            assertThat(program.say("load " + neff + " -1")).isEqualTo("0 model 1 core 1");
            assertThat(program.say("load " + neff + " -1")).isEqualTo("0 model 2 core 0");
        }

        @ParameterizedTest
        @CsvSource({"2, 1, 2", "-2, 1, 2", "1, 2, 9", "0, 2, 0"})
        void needExistingCores(int core, int count, String status) throws Exception {
            assertThat(program.say("load " + neff(FakeNeff.builder()) + " " + core + " " + count))
                    .startsWith(status);
        }

        @Test
        void areRefusedWithoutACoreForEachWorker() throws Exception {
            assertThat(program.say("load " + neff(FakeNeff.builder().workers(3)) + " 0 1"))
                    .isEqualTo("9");
            assertThat(program.err()).contains("needs 3 logical cores, there are 2");
        }

        @Test
        void areRefusedForAnotherLogicalCoreSize() throws Exception {
            assertThat(program.say("load " + neff(FakeNeff.builder().name("big").lnc(2)) + " 0 1"))
                    .isEqualTo("1");
            assertThat(program.err())
                    .contains("big was compiled for logical cores of size 2")
                    .contains("NEURON_LOGICAL_NC_CONFIG=2");
        }

        @Test
        void areRefusedWhenTruncatedInvalidOrNewer() throws Exception {
            String neff = neff(FakeNeff.builder());
            for (int size : new int[] {1, 8, 1023, 1024, 5000}) {
                assertThat(program.say("load-part " + neff + " " + size))
                        .as("%s bytes", size)
                        .isEqualTo("2");
            }
            byte[] bytes = Files.readAllBytes(Path.of(neff));
            bytes[0] = 3;
            Path newer = Files.write(folder.resolve("newer.neff"), bytes);
            Path text = Files.writeString(folder.resolve("text.neff"), "no NEFF ".repeat(1000));

            assertThat(program.say("load " + newer + " 0 1")).isEqualTo("10");
            assertThat(program.say("load " + text + " 0 1")).isEqualTo("2");
            assertThat(program.err()).contains("the NEFF is cut").contains("not a NEFF");
            try (var left = Files.list(host.directory().resolve(".runtime"))) {
                assertThat(left).isEmpty();
            }
        }

        @Test
        void failToLoadWithTheScriptedStatus() throws Exception {
            host.runtime().neff("broken").failsToLoad(NrtStatus.NRT_HW_ERROR);
            String neff = neff(FakeNeff.builder().name("broken"));

            assertThat(program.say("load " + neff + " 0 1")).isEqualTo("6");
            host.runtime().reset();
            assertThat(program.say("load " + neff + " 0 1")).startsWith("0");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "d ones| the NEFF has the outputs c (float32 2x2, 16 bytes), r (8 bytes)",
                    "c ones@4=1| @4 of ones@4=1 names none of the 4 elements",
                    "c hex:00ff| hex:00ff has 2 bytes, but the tensor has 16",
                    "c copy:z| there is no input z to copy; the NEFF has the inputs a (int8 3, 3 bytes)",
                    "c copy:a| the input a has 3 bytes, but the output has 16",
                    "r ones| it cannot be filled with ones, because the NEFF does not declare its element type",
                    "i fill:nan| int32 has no NaN",
                })
        void failToLoadWithScriptThatDoesNotFit(String output, String reason) throws Exception {
            FakeNeff.Builder builder = FakeNeff.builder().name("add\nx").input("a", "int8", 3);
            builder.output("c", "float32", 2, 2).output("r", 8);
            String neff = neff(output.startsWith("i ") ? builder.output("i", "int32") : builder);
            String[] words = output.split(" ");
            host.runtime().neff("add\nx").output(words[0], words[1]);

            // when
            assertThat(program.say("load " + neff + " 0 1")).isEqualTo("1");

            // then
            assertThat(program.err())
                    .contains("nrt_load")
                    .contains("output " + words[0] + " of add\\nx cannot be written: " + reason);
            host.runtime().reset();
            program.succeed("load " + neff + " 0 1");
        }

        @Test
        void acceptAnyTensorsWithoutTensorInfo() throws Exception {
            byte[] file = Files.readAllBytes(Path.of(neff(FakeNeff.builder().name("genuine"))));
            Path archive = folder.resolve("genuine.tgz");
            Path json = Files.writeString(folder.resolve("neff.json"), "{}");
            assertThat(new ProcessBuilder("tar", "czf", archive.toString(), "-C", folder.toString(), "neff.json")
                            .start()
                            .waitFor())
                    .as(json.toString())
                    .isZero();
            byte[] body = Files.readAllBytes(archive);
            Arrays.fill(file, 1024, file.length, (byte) 0);
            System.arraycopy(body, 0, file, 1024, body.length);
            Path genuine = Files.write(folder.resolve("genuine.neff"), file);
            host.runtime().neff("genuine").output("y", new byte[] {1, 2, 3, 4});

            program.succeed("load " + genuine + " 0 1", "allocate y 0 4", "output y y", "execute 0");

            assertThat(program.say("infos 0")).isEqualTo("0 freed 0");
            assertThat(program.say("read y 0 4")).isEqualTo("0 01020304");
        }
    }

    @Nested
    class Tensors {

        @Test
        void areCountedInWholePagesUntilFreed() throws Exception {
            program.succeed("allocate a 0 5000", "allocate b 0 16 host");

            assertThat(number(CORE + "memory_usage/device_mem/tensors/total")).isEqualTo(8192);
            assertThat(number("neuron0/stats/memory_usage/host_mem/tensors/total"))
                    .isEqualTo(4096);
            assertThat(program.say("memory 0")).isEqualTo("0 used 8192 limit 17179869184 size 16");

            assertThat(program.say("free a")).isEqualTo("0 null");
            assertThat(program.say("free b")).isEqualTo("0 null");
            assertThat(number(CORE + "memory_usage/device_mem/tensors/total")).isZero();
            assertThat(number("neuron0/stats/memory_usage/host_mem/tensors/total"))
                    .isZero();
        }

        @Test
        void areFreedOnClose() throws Exception {
            program.succeed("allocate a 0 5000", "close");

            assertThat(number(CORE + "memory_usage/device_mem/tensors/total")).isZero();
        }

        @ParameterizedTest
        @CsvSource({"2 64, 2", "-1 64, 2", "0 0, 2", "0 17179869185, 4", "0 17179869184, 0"})
        void needAValidCoreSizeAndFreeMemory(String coreAndSize, String status) throws Exception {
            assertThat(program.say("allocate a " + coreAndSize)).isEqualTo(status);
        }

        @Test
        void areReadAndWrittenOnlyWithinBounds() throws Exception {
            program.succeed("allocate a 0 8", "fill a 7", "write a 2 xyz");

            assertThat(program.say("read a 0 8")).isEqualTo("0 070778797a070707");
            assertThat(program.say("batch a")).isEqualTo("0 070778797a070707");
            for (String beyond :
                    new String[] {"read a 0 9", "read a 8 1", "read a 9 0", "read a -1 1", "write a 6 xyz"}) {
                assertThat(program.say(beyond)).as(beyond).startsWith("2");
            }
            program.succeed("free a");
            assertThat(program.say("free a")).isEqualTo("0 null");
        }

        @Test
        void nullTensorIsRefused() throws Exception {
            for (String call : new String[] {"read none 0 1", "write none 0 x", "address none", "completed none 1"}) {
                assertThat(program.say(call)).as(call).startsWith("2");
            }
            assertThat(program.say("reset-completion none")).isEqualTo("2");
        }

        @Test
        void onTheHostNeedNoCore() throws Exception {
            program.succeed("allocate h -1 5000 host", "fill h 5");

            assertThat(program.say("read h 0 2")).isEqualTo("0 0505");
            assertThat(number("neuron0/stats/memory_usage/host_mem/tensors/total"))
                    .isEqualTo(8192);
            assertThat(program.say("memory 0")).startsWith("0 used 0 ");
            program.succeed("free h");
            assertThat(number("neuron0/stats/memory_usage/host_mem/tensors/total"))
                    .isZero();
            assertThat(program.say("allocate h -2 64 host")).isEqualTo("2");
        }

        @Test
        void areFoundInTheirSetByName() throws Exception {
            program.succeed("allocate a 0 8", "input a a");

            assertThat(program.say("get a")).isEqualTo("0 same");
            assertThat(program.say("get b")).isEqualTo("1 null");
        }

        @Test
        void slicesShareBytesAndOutliveTheirTensor() throws Exception {
            program.succeed("allocate a 0 8", "slice s a 4 4", "write a 4 wxyz", "free a");

            assertThat(program.say("read s 0 4")).isEqualTo("0 7778797a");
            assertThat(number(CORE + "memory_usage/device_mem/tensors/total")).isEqualTo(4096);
            assertThat(program.say("slice t s 1 4")).isEqualTo("2");

            program.succeed("free s");
            assertThat(number(CORE + "memory_usage/device_mem/tensors/total")).isZero();
        }

        @Test
        void areNotCopiedBetweenCores() throws Exception {
            program.succeed("allocate a 0 8", "allocate b 0 8", "allocate c 1 8", "allocate h 1 8 host", "fill a 9");

            assertThat(program.say("copy a b 8")).isEqualTo("0");
            assertThat(program.say("read b 0 8")).isEqualTo("0 0909090909090909");
            assertThat(program.say("copy a c 8")).isEqualTo("2");
            assertThat(program.say("copy a h 8")).isEqualTo("0");
            assertThat(program.say("copy a b 9")).isEqualTo("2");
        }

        @Test
        void mayUseMemoryOfTheCaller() throws Exception {
            program.succeed("attach a 8", "fill a 3");

            assertThat(program.say("read a 0 4")).isEqualTo("0 03030303");
            assertThat(program.say("address a")).startsWith("2");
            assertThat(number(CORE + "memory_usage/device_mem/tensors/total")).isZero();
        }

        @Test
        void haveAMappedAddress() throws Exception {
            program.succeed("allocate a 0 4096");

            assertThat(program.say("address a")).isEqualTo("0 size 4096 mapped");
        }
    }

    @Nested
    class Executions {

        @Test
        void writeZerosWithoutAScript() throws Exception {
            loadAdd();
            program.succeed("fill c 9", "execute 0");

            assertThat(program.say("read c 0 16")).isEqualTo("0 " + "00".repeat(16));
        }

        @Test
        void needNoTensorsWhenNoneAreDeclared() throws Exception {
            program.succeed("load " + neff(FakeNeff.builder()) + " 0 1", "execute 0");
        }

        @Test
        void areCountedOnTheirCore() throws Exception {
            long successes = number(CORE + "status/success/total");
            long inferences = number(CORE + "other_info/inference_count/total");
            program.succeed("load " + neff(FakeNeff.builder()) + " 0 1", "execute 0", "repeat 0 3");

            assertThat(number(CORE + "status/success/total")).isEqualTo(successes + 4);
            assertThat(number(CORE + "other_info/inference_count/total")).isEqualTo(inferences + 4);
            assertThat(host.runtime().executions())
                    .last()
                    .isEqualTo("model on neuron0/neuron_core0 by runtime_calls (pid " + program.pid()
                            + "): NRT_SUCCESS, 0 events");
        }

        @Test
        void areCountedInTheFilesWhenTheCallReturns() throws Exception {
            program.succeed("load " + neff(FakeNeff.builder()) + " 0 1");
            Path stats = host.directory().resolve(HostFixture.DEVICES + CORE);
            long successes = Long.parseLong(
                    Files.readString(stats.resolve("status/success/total")).strip());
            for (int i = 1; i <= 25; i++) {
                String before = Files.readString(stats.resolve("tensor_engine/pe_cntrs"));

                // when
                program.succeed("execute 0");

                // then
                assertThat(stats.resolve("status/success/total")).hasContent(successes + i + "\n");
                assertThat(stats.resolve("tensor_engine/pe_cntrs")).content().isNotEqualTo(before);
            }
        }

        @Test
        void computeTheirOutputsFromTheirInputs() throws Exception {
            host.runtime().neff("add").output("c", inputs -> {
                byte[] sum = new byte[16];
                for (int i = 0; i < sum.length; i++) {
                    sum[i] = (byte) (inputs.get("a")[i] + inputs.get("b")[i]);
                }
                return sum;
            });
            loadAdd();
            program.succeed("fill a 3", "fill b 4", "execute 0");

            assertThat(program.say("read c 0 16")).isEqualTo("0 " + "07".repeat(16));
            assertThat(program.say("read a 0 2")).isEqualTo("0 0303");
        }

        @Test
        void copyInputsToOutputs() throws Exception {
            host.runtime().neff("add").output("c", "copy:b");
            loadAdd();
            program.succeed("fill b 5", "execute 0");

            assertThat(program.say("read c 0 16")).isEqualTo("0 " + "05".repeat(16));
        }

        @ParameterizedTest
        @CsvSource({
            "unwritten, 09090909090909090909090909090909",
            "first:4:copy:b, 05050505090909090909090909090909",
            "first:8:ones, 0000803f0000803f0909090909090909",
            "first:99:copy:b, 05050505050505050505050505050505",
            "first:0:copy:nothing, 09090909090909090909090909090909"
        })
        void leaveScriptedBytesOfOutputUnwritten(String fill, String content) throws Exception {
            host.runtime().neff("add").output("c", fill);
            loadAdd();
            program.succeed("fill b 5", "fill c 9", "execute 0");

            assertThat(program.say("read c 0 16")).isEqualTo("0 " + content);
        }

        @Test
        void failWithReasonWhenTheScriptFails() throws Exception {
            loadAdd();
            NeffScript script = host.runtime().neff("add").output("c", inputs -> {
                throw new IllegalStateException("the script is wrong");
            });
            assertThat(program.say("execute 0")).isEqualTo("1");
            assertThat(program.err())
                    .contains(
                            "output c of add cannot be written: the function of the script failed: the script is wrong");

            script.reset().output("c", new byte[3]);
            assertThat(program.say("execute 0")).isEqualTo("1");
            assertThat(program.err()).contains("the script has 3 bytes, but the output has 16");

            script.reset().output("d", new byte[3]);
            assertThat(program.say("execute 0")).isEqualTo("1");
            assertThat(program.err())
                    .contains("output d of add cannot be written: the NEFF has the outputs c (float32 2x2,");
        }

        @Test
        void continueAfterFailedAssertionInTheScript() throws Exception {
            host.runtime().neff("add").output("c", inputs -> {
                throw new AssertionError("expected: 1\nbut was: 2");
            });
            loadAdd();

            assertThat(program.say("execute 0")).isEqualTo("1");
            assertThat(program.err()).contains("the function of the script failed: expected: 1\\nbut was: 2");
            host.runtime().reset();
            program.succeed("execute 0");
        }

        @Test
        void refuseWrongMissingOrFreedTensors() throws Exception {
            loadAdd();
            long before = number(CORE + "status/exec_bad_input/total");
            program.succeed("allocate short 0 15", "input a short");
            assertThat(program.say("execute 0")).isEqualTo("1002");
            assertThat(program.err()).contains("input \"a\" has 15 bytes, the model wants 16");

            program.succeed("input a a", "execute 0", "input x a");
            assertThat(program.say("execute 0")).isEqualTo("1002");
            assertThat(program.err()).contains("the model has no input \"x\"");

            program.succeed("clear-sets", "input a a", "input b b");
            assertThat(program.say("execute 0")).isEqualTo("1002");
            assertThat(program.err()).contains("output \"c\" of 16 bytes is missing");
            assertThat(number(CORE + "status/exec_bad_input/total")).isEqualTo(before + 3);

            program.succeed("output c c", "free c");
            assertThat(program.say("execute 0")).isEqualTo("3");
        }

        @Test
        void returnAndCountTheScriptedStatus() throws Exception {
            host.runtime().neff("add").output("c", "ones");
            host.runtime().neff("add").status(NrtStatus.NRT_EXEC_OOB).times(1);
            host.runtime()
                    .neff("add")
                    .status(NrtStatus.NRT_EXEC_COMPLETED_WITH_NUM_ERR)
                    .times(2);
            loadAdd();
            long oob = number(CORE + "status/oob_error/total");

            program.succeed("fill c 9");
            assertThat(program.say("execute 0")).isEqualTo("1003");
            assertThat(program.say("read c 0 4")).isEqualTo("0 0000803f");

            host.runtime().reset();
            host.runtime()
                    .neff("add")
                    .output("c", "ones")
                    .status(NrtStatus.NRT_EXEC_OOB)
                    .times(1);
            program.succeed("fill c 9");
            assertThat(program.say("execute 0")).isEqualTo("1006");
            assertThat(program.say("read c 0 4")).isEqualTo("0 09090909");
            assertThat(number(CORE + "status/oob_error/total")).isEqualTo(oob + 1);
            assertThat(program.err()).contains("Execution failed with status NRT_EXEC_OOB (1006)");
            program.succeed("execute 0");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                SRAM             | 1202 | status/hw_nc_ue_error       | [ND 0][NC 0] Uncorrectable memory error is detected, metadata: 0x16.
                HBM              | 1201 | status/hw_hbm_ue_error      | [ND 0] Uncorrectable HBM memory error is detected. Execution results may be invalid. Please terminate
                DMA_ABORT        | 1203 | status/hw_dma_abort_error   | [MLA 0][NC 0] DMA TX engine 0 is in an abort state
                COLLECTIVES_HANG | 1200 | status/hw_collectives_error | missing collectives status on Neuron Device 0 NC 0
                COMPUTE_HANG     | 5    | status/timeout              | execution timeout (1000 ms) on model add, waiting for
                QUEUE_OVERFLOW   | 1204 | status/execute_sw_nq_overflow | potentially caused by DGE notifications enabled.
                OUT_OF_BOUNDS    | 1006 | status/oob_error            | nd0:nc0:h_model.id1001: Received notification generated at runtime
                """)
        void faultSetsStatusCounterAndLogs(ExecutionFault fault, int status, String counter, String text)
                throws Exception {
            host.runtime().neff("add").fault(fault).times(1);
            loadAdd();
            long before = number(CORE + counter + "/total");
            int records = host.kernelLog().size();

            assertThat(program.say("execute 0")).isEqualTo(Integer.toString(status));
            assertThat(number(CORE + counter + "/total")).isEqualTo(before + 1);
            assertThat(program.err())
                    .contains(text, "Inference completed with err: " + status + ". mode->h_nn=1001, lnc=0")
                    .containsPattern("ERROR   NRT:nrt_infodump +Failure: " + NrtStatus.of(status) + " in nrt_execute")
                    .containsPattern("ERROR  TDRV:exec_[a-z_]+ +[^ ]")
                    .doesNotContain("Execution failed with status", "{");
            assertThat(host.kernelLog()).hasSize(records + (status >= 1201 && status <= 1203 ? 1 : 0));
            program.succeed("execute 0");
        }

        @Test
        void faultCountsItsEccErrorUnderAnotherStatus() throws Exception {
            host.runtime().neff("add").fault(ExecutionFault.SRAM).status(NrtStatus.NRT_EXEC_COMPLETED_WITH_ERR);
            loadAdd();
            long errors = Long.parseLong(
                    read(host, "neuron0/stats/hardware/sram_ecc_uncorrected").strip());

            assertThat(program.say("execute 0")).isEqualTo("1004");
            assertThat(program.err()).contains("Failure: NRT_EXEC_COMPLETED_WITH_ERR in nrt_execute()");
            assertThat(number("neuron0/stats/hardware/sram_ecc_uncorrected")).isEqualTo(errors + 1);
        }

        @Test
        void lastAsLongAsTheScriptOrModelDefines() throws Exception {
            host.runtime().neff("slow").latency(Duration.ofMillis(30));
            program.succeed("load " + neff(FakeNeff.builder().name("slow")) + " 0 1");
            program.succeed("load " + neff(FakeNeff.builder().name("timed").time(Duration.ofMillis(20))) + " 0 1");
            long busy = number(CORE + "other_info/nc_time_in_use/total");

            assertThat(nanoseconds(program.say("time 0"))).isGreaterThan(30_000_000L);
            assertThat(nanoseconds(program.say("time 1"))).isGreaterThan(20_000_000L);
            assertThat(number(CORE + "other_info/nc_time_in_use/total")).isEqualTo(busy + 50_000);
        }

        private static long nanoseconds(String answer) {
            return Long.parseLong(answer.substring(answer.lastIndexOf(' ') + 1));
        }

        @Test
        void timeOutWhenHanging() throws Exception {
            host.runtime().neff("stuck").hangs().times(1);
            host.runtime().neff("stuck").latency(Duration.ofSeconds(100)).times(1);
            long timeouts = number(CORE + "status/timeout/total");
            program.succeed("load " + neff(FakeNeff.builder().name("stuck")) + " 0 1");

            assertThat(program.say("execute 0")).isEqualTo("5");
            assertThat(number(CORE + "status/timeout/total")).isEqualTo(timeouts + 1);
            assertThat(program.err()).contains("execution timed out (1000 ms)");
            program.succeed("execute 0");
        }

        @Test
        void laterDurationEndsAHang() throws Exception {
            program.succeed("load " + neff(FakeNeff.builder().name("stuck")) + " 0 1");
            host.runtime().neff("stuck").hangs();
            host.runtime().neff("stuck").latency(Duration.ofMillis(1));

            assertThat(program.say("execute 0")).isEqualTo("0");
        }

        @Test
        void areNotRecordedWhenTheProcessIsKilled() throws Exception {
            host.runtime().neff("stuck").hangs();
            program.succeed("load " + neff(FakeNeff.builder().name("stuck")) + " 0 1", "connect 0");
            int executions = host.runtime().executions().size();
            program.begin("execute 0");

            program.kill();

            await().until(() -> host.processes().isEmpty());
            assertThat(host.runtime().executions()).hasSize(executions);
        }

        @Test
        void increaseTheCompletionCountOfOutputs() throws Exception {
            loadAdd();
            program.succeed("execute 0", "execute 0", "completed c 2");

            assertThat(program.say("completed c 3")).isEqualTo("5");
        }
    }

    @Nested
    class Profiles {

        @Test
        void canBeReadByView() throws Exception {
            host.runtime().neff("add").latency(Duration.ofMillis(3));
            loadAdd();
            Path ntff = folder.resolve("add.ntff");
            program.succeed("execute 0", "profile-start 0 " + ntff, "execute 0", "profile-stop " + ntff);

            Process view = new ProcessBuilder(
                            host.directory()
                                    .resolve("opt/aws/neuron/bin/neuron-explorer")
                                    .toString(),
                            "view",
                            "-n",
                            folder.resolve("model.neff").toString(),
                            "-s",
                            ntff.toString(),
                            "--output-format",
                            "summary-json")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(new String(view.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("\"total_time\": 0.003,");
        }

        @Test
        void needStartExecutionAndMatchingFileName() throws Exception {
            loadAdd();
            Path ntff = folder.resolve("add.ntff");

            assertThat(program.say("profile-stop " + ntff)).isEqualTo("2");
            program.succeed("profile-start 0 " + ntff);
            assertThat(program.say("profile-start 0 " + ntff)).isEqualTo("2");
            assertThat(program.say("profile-stop " + ntff + "2")).isEqualTo("2");
            assertThat(program.say("profile-stop " + ntff)).isEqualTo("1");
            assertThat(program.err()).contains("add was not executed while it was profiled");
            assertThat(ntff).doesNotExist();
        }

        @Test
        void systemTraceIsRefused() throws Exception {
            assertThat(program.say("trace")).isEqualTo("2");
            assertThat(program.err()).contains("makes no such trace");
        }
    }

    @Nested
    class Commands {

        private String say(String command) {
            try (CommandSession session = host.openSession()) {
                return session.answer(command);
            }
        }

        @Test
        void scriptModelsAsJavaDoes() throws Exception {
            assertThat(say("neff add latency=2ms output=\"c arange@1=-2.5\" print=\"acc float32 4x4 ones pipe=1\""))
                    .isEqualTo("ok");
            assertThat(say("neff add status=1006 times=1")).isEqualTo("ok");
            assertThat(say("neff"))
                    .isEqualTo("ok neff add latency=2000000ns output=\"c arange@1=-2.5\" print=\"acc float32 4x4\" |"
                            + " neff add status=NRT_EXEC_OOB times=1");
            loadAdd();

            assertThat(program.say("execute 0")).isEqualTo("1006");
            program.succeed("execute 0");
            assertThat(program.say("read c 0 16")).isEqualTo("0 00000000000020c00000004000004040");
            assertThat(say("executions"))
                    .endsWith("NRT_EXEC_OOB, 1 event | "
                            + host.runtime()
                                    .executions()
                                    .get(host.runtime().executions().size() - 1));

            assertThat(say("neff add reset")).isEqualTo("ok");
            assertThat(say("neff")).isEqualTo("ok");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "neff add| the script for NEFFs named add is missing",
                    "neff add latency=2| the latency must be a duration such as 500ms or 2s",
                    "neff add status=many| no NRT_STATUS",
                    "neff add print=acc| a print has the form PREFIX DTYPE SHAPE FILL",
                    "neff add print=\"acc float33 4 ones\"| no element type",
                    "neff add print=\"acc float32 0 ones\"| at least 1",
                    "neff add print=\"acc float32 4 twos\"| no fill \"twos\"",
                    "neff add print=\"acc float32 4 ones@4=1\"| names none of the 4 elements",
                    "neff add print=\"acc float32 4 ones loud\"| no option loud",
                    "neff add print=\"acc int8 1 zeros times=1000 sequence x=1\"| no option x=1",
                    "neff add output=c| an output has the form NAME FILL",
                    "neff add output=\"c nonsense\"| no fill \"nonsense\"; there are: zeros, ones, arange, fill:NUMBER, each"
                            + " optionally followed by @INDEX=NUMBER, hex:BYTES, and for an output copy:INPUT,"
                            + " unwritten or first:BYTES:FILL",
                    "neff add output=\"c ones@\"| @ of ones@ is not the value of an element; use the form @3=NaN",
                    "neff add output=\"c ones@nan=1\"| @nan=1 of ones@nan=1 is not the value of an element",
                    "neff add output=\"c ones@1.5=1\"| @1.5=1 of ones@1.5=1 is not the value of an element",
                    "neff add output=\"c ones@1=x\"| \"x\" in ones@1=x is not a number",
                    "neff add output=\"c fill:\"| \"\" in fill: is not a number",
                    "neff add output=\"c hex:0\"| hex:0 must have two hexadecimal digits for each byte",
                    "neff add output=\"c hex:zz\"| hex:zz must have two hexadecimal digits for each byte",
                    "neff add output=\"c copy:\"| the name of the input is missing",
                    "neff add latency=2ms output=\"c twos\"| no fill \"twos\"",
                    "neff add print=\"acc float32 4 ones pipe=4294967296\"| pipe=4294967296 is too large",
                    "neff add print=\"acc float32 4 ones core=4294967296\"| core=4294967296 is too large",
                    "neff add print=\"acc uint8 1 hex:0\"| hex:0 must have two hexadecimal digits for each byte",
                    "neff add print=\"acc int32 1 fill:nan\"| int32 has no NaN",
                    "neff add times=3| there is nothing else to limit",
                    "neff add times=0| a script requires at least 1 execution, not 0",
                    "neff add times=x| must be a whole number",
                    "neff add loud=1| unknown option",
                    "neff add print=\"acc| a quotation mark is missing",
                    "nrt load| has not opened the runtime library in this session",
                    "nrt begin P 1| has not opened the runtime library in this session",
                })
        void areRefusedWithReasonWhenInvalid(String command, String reason) {
            assertThat(say(command.equals("nrt load") ? "nrt load P" : command))
                    .startsWith("error ")
                    .contains(reason);
            assertThat(host.runtime().scripts()).isEmpty();
        }
    }
}
