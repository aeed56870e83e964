package dev.neurontest.fake.internal.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import dev.neurontest.fake.internal.profiler.ntff.TraceProperties;
import dev.neurontest.fake.internal.tool.ToolRelease;
import dev.neurontest.fuzz.Fuzzing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Fuzz tests of the tools with broken traces: each tool prints JSON or a problem in one line. */
class TraceFuzzTest {

    private static final UUID MODEL = UUID.fromString("10111213-1415-1617-1819-1a1b1c1d1e1f");

    @TempDir
    private Path folder;

    private static byte[] ntff() {
        TraceProperties properties = new TraceProperties()
                .with("work", "transpose")
                .with("rank", 1)
                .with("device", 0)
                .with("dropped", 2)
                .with("start-up", 1_000_000)
                .with("base", 20_000_000)
                .with("throttle", 0.25)
                .with("runtime", "2.27.23");
        byte[] uuid = new byte[16];
        for (int i = 0; i < uuid.length; i++) {
            uuid[i] = (byte) (0x10 + i);
        }
        return new Ntff(
                        4,
                        "file.neff",
                        uuid,
                        List.of(new Ntff.Graph("sg00", 0, 29044183), new Ntff.Graph("sg01", 1, 1)),
                        "trn1.2xlarge",
                        properties,
                        1)
                .toBytes(1);
    }

    private JsonNode printed(String... arguments) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = ProfilerCommand.run(new Invocation(
                new ToolRelease(ToolRelease.PROFILE, "2.27.0"),
                folder,
                List.of(arguments),
                Map.of("HOME", "/nowhere"),
                folder,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8)));
        if (exitCode != 0) {
            throw new IOException(err.toString(StandardCharsets.UTF_8));
        }
        return JsonMapper.shared().readTree(out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void brokenTraceIsShownOrRefused() throws IOException {
        // given
        FakeNeff.builder().uuid(MODEL).write(folder.resolve("m.neff"));

        // then
        Fuzzing.of(TraceFuzzTest.class, "trace")
                .seeds(ntff())
                .words(
                        "\nrank=",
                        "\ndevice=",
                        "\ndropped=",
                        "\nbase=",
                        "\nthrottle=",
                        "\nstart-up=",
                        "\nwork=vector\n",
                        "\"")
                .refusing(IOException.class)
                .check(
                        input -> {
                            Files.write(folder.resolve("t.ntff"), input);
                            return printed("view", "-n", "m.neff", "-s", "t.ntff", "--output-format", "summary-json");
                        },
                        (input, shown) -> assertThat(shown.isObject()).isTrue());
    }
}
