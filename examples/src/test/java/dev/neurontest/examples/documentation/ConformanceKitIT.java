package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code .ci/conformance} with checkouts that the tests make up. */
class ConformanceKitIT {

    @TempDir
    private Path folder;

    private record Result(int code, String out) {}

    @BeforeEach
    void requirePython() {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(each -> Path.of(each, "python3").toFile().canExecute()),
                "no python3 on the PATH");
    }

    private Path checkout(String function) throws IOException {
        Path file = folder.resolve("checkout/src/sagemaker_training/environment.py");
        Files.createDirectories(file.getParent());
        Files.writeString(file, function);
        return folder.resolve("checkout");
    }

    private static Result run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("python3", Repository.ROOT.resolve(".ci/conformance").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), out);
    }

    @Test
    void isRightIfAProgramFindsWhatTheHostHas() throws Exception {
        Path checkout = checkout("""
                def num_neurons(kind):
                    listed = json.loads(subprocess.check_output(["neuron-ls", "-j"]))
                    return sum(device["nc_count"] for device in listed)
                """);

        Result result =
                run("--hosts", "trn2.3xlarge,inf2.24xlarge@driver-2.28", "sagemaker-training-toolkit=" + checkout);

        assertThat(result.out()).isEqualTo("""
                | program | what it finds | trn2.3xlarge | inf2.24xlarge@driver-2.28 |
                |---|---|---|---|
                | sagemaker-training-toolkit | number of cores | right | right |
                """);
        assertThat(result.code()).isZero();
    }

    @Test
    void isWrongIfAProgramFindsSomethingElseOrFails() throws Exception {
        Path checkout = checkout("def num_neurons(kind):\n    return 3\n");
        Result other = run("--hosts", "trn2.3xlarge", "sagemaker-training-toolkit=" + checkout);

        assertThat(other.out())
                .contains("| sagemaker-training-toolkit | number of cores | wrong |")
                .endsWith("on trn2.3xlarge: wrong: cores: found 3, the host has 4\n");
        assertThat(other.code()).isEqualTo(1);

        checkout("def num_neurons(kind):\n    raise OSError('no cores')\n");
        assertThat(run("--hosts", "trn2.3xlarge", "sagemaker-training-toolkit=" + checkout)
                        .out())
                .endsWith("on trn2.3xlarge: wrong: OSError: no cores\n");
    }

    @Test
    void isNotRunWithoutThePublishedFileAndIsNoSuccess() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));

        Result result = run("--hosts", "trn1.2xlarge", "sagemaker-training-toolkit=" + empty);

        assertThat(result.out())
                .contains("| number of cores | not run |")
                .contains("there is no src/sagemaker_training/environment.py in the folder");
        assertThat(result.code()).isEqualTo(1);
    }

    @Test
    void endsWithTheReasonForAHostThatDoesNotExist() throws Exception {
        Path checkout = checkout("def num_neurons(kind):\n    return 3\n");

        Result result = run("--hosts", "trn2.3xlarge,trn9.big", "sagemaker-training-toolkit=" + checkout);

        assertThat(result.out())
                .contains("trn9.big", "conformance: error: trn9.big: the host ended with 2")
                .doesNotContain("Traceback");
        assertThat(result.code()).isEqualTo(2);
    }

    @Test
    void isWrongForAFunctionWithTheBeginningOfAnother() throws Exception {
        Path headers = Files.createDirectories(folder.resolve("checkout/src/libnrt/include/nrt"));
        for (String name : List.of("nrt_experimental.h", "nrt_profile.h", "nrt_sys_trace.h", "ndebug_stream.h")) {
            Files.createFile(headers.resolve(name));
        }
        Files.writeString(headers.resolve("nrt.h"), """
                #define NRT_FRAMEWORK_TYPE_NO_FW 1
                int nrt_init(int framework, const char *first, const char *second);
                int nrt_ini(void);
                """);

        String out = run("--hosts", "trn2.3xlarge", "aws-neuron-sdk=" + folder.resolve("checkout"))
                .out();

        assumeFalse(out.contains("not run: there is no gcc"), "no gcc on the PATH");
        assertThat(out).contains("wrong: the library has no nrt_ini\n");
    }

    @Test
    void namesThePossibleProgramsForAnUnknownOne() throws Exception {
        Result result = run("no-such-program=" + folder);

        assertThat(result.out())
                .contains("expected NAME=FOLDER with one of amazon-cloudwatch-agent-test, aws-neuron-sdk, libfabric");
        assertThat(result.code()).isEqualTo(2);
    }
}
