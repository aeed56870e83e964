package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunLinesFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that an unreadable line hides nothing else of its run. */
class BadLinesTest {

    private static final String CORE = "neuron0/neuron_core3";
    private static final String HEAD = "{\"seq\":3,\"time\":\"2026-11-21T09:00:00.5Z\",\"event\":";
    private static final String TEST =
            "\"test\":{\"id\":\"[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:good()]\",\"name\":\"BertTest > good()\"}";

    @TempDir
    private Path folder;

    private static RunLinesFixture jvm() {
        return new RunLinesFixture(7).started("ip-10-0-0-7").onHardware();
    }

    /** Runs the report with every printer, because a value may break only one of them. */
    private CommandFixture report(String... files) {
        String[] arguments = new String[files.length + 7];
        arguments[0] = "report";
        System.arraycopy(files, 0, arguments, 1, files.length);
        String[] printers = {
            "--html",
            folder.resolve("report.html").toString(),
            "--json",
            folder.resolve("report.json").toString(),
            "--markdown",
            folder.resolve("report.md").toString()
        };
        System.arraycopy(printers, 0, arguments, files.length + 1, printers.length);
        return CommandFixture.run(arguments);
    }

    /** Returns the output with the lines of a terminal joined. */
    private static String unfolded(CommandFixture report) {
        return report.out().replace("\n    ", " ");
    }

    /** Writes a run with the given bytes after its second line. */
    private Path with(byte[] lines) throws IOException {
        byte[] whole = jvm().ran(RunLinesFixture.test("good"), Outcome.PASSED, CORE)
                .finished()
                .bytes();
        int second = jvm().bytes().length;
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.write(whole, 0, second);
        content.writeBytes(lines);
        content.write(whole, second, whole.length - second);
        Path runs = Files.createDirectories(folder.resolve("runs"));
        return Files.write(runs.resolve("run-7-00000000-0000-0000-0000-000000000000.jsonl"), content.toByteArray());
    }

    private void assertLeftOut(byte[] line, String problem) throws IOException {
        // given
        Path file = with(line);

        // when
        CommandFixture report = report(folder.resolve("runs").toString());

        // then
        assertThat(report.status()).as(report.err()).isZero();
        assertThat(unfolded(report)).contains("1 passed", file + ": line 3" + problem);
        assertThat(folder.resolve("report.html")).content().contains("BertTest &gt; good()");
        assertThat(folder.resolve("report.json")).content().contains("BertTest > good()");
        assertThat(folder.resolve("report.md")).isNotEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"seq\":3,\"time\":\"+1000000000-12-31T23:59:59.999999999Z\",\"event\":\"noticed\",\"notice\":\"n\"}",
                "{\"seq\":3,\"time\":\"-1000000000-01-01T00:00:00Z\",\"event\":\"noticed\",\"notice\":\"n\"}",
                "{\"seq\":3,\"time\":\"+1000000001-01-01T00:00:00Z\",\"event\":\"noticed\",\"notice\":\"n\"}",
                "{\"seq\":3,\"time\":\"9999-12-31T23:59:59Z\",\"event\":\"noticed\",\"notice\":\"n\"}",
                "{\"seq\":3,\"time\":1732179600,\"event\":\"noticed\",\"notice\":\"n\"}",
                "{\"seq\":1e9999999990,\"time\":\"2026-11-21T09:00:00Z\",\"event\":\"noticed\",\"notice\":\"n\"}",
                "{\"seq\":1e999999999,\"time\":\"2026-11-21T09:00:00Z\",\"event\":\"noticed\",\"notice\":\"n\"}",
                HEAD + "\"unheard\",\"number\":NaN}",
                HEAD + "\"hostErrors\",\"moment\":\"end\",\"counters\":{\"a\":Infinity}}",
                HEAD + "\"hostErrors\",\"moment\":\"end\",\"counters\":{\"a\":\"\0\"}}",
                HEAD + "\"recorded\"," + TEST + ",\"kind\":\"counters\",\"recording\":{\"moved\":",
                "\0{\"seq\":3}",
                "{\0\"\0s\0e\0q\0\"\0:\0003\0}\0",
                "\u0000",
                "[]",
                "null",
                "",
                "{}{}",
                "\uFEFF",
            })
    void lineWithoutEventIsNamedAndSkipped(String line) throws IOException {
        assertLeftOut((line + "\n").getBytes(StandardCharsets.UTF_8), " is not an event and was skipped");
    }

    @Test
    void lineInAnotherEncodingIsNamedAndSkipped() throws IOException {
        String line = HEAD + "\"hostErrors\",\"moment\":\"end\",\"counters\":{}}";
        byte[] wide = line.getBytes(StandardCharsets.UTF_16LE);
        byte[] ended = Arrays.copyOf(wide, wide.length + 1);
        ended[wide.length] = '\n';
        assertLeftOut(ended, " is not an event and was skipped");
        assertLeftOut(
                (HEAD + "\"noticed\",\"notice\":\"größe\"}\n").getBytes(StandardCharsets.ISO_8859_1),
                " is not an event and was skipped");
    }

    @Test
    void counterWithLongNumberIsNamedAndSkipped() throws IOException {
        assertLeftOut(
                (HEAD + "\"hostErrors\",\"moment\":\"end\",\"counters\":{\"a\":" + "9".repeat(5_000) + "}}\n")
                        .getBytes(StandardCharsets.UTF_8),
                " is not an event and was skipped");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"recorded\"," + TEST + ",\"kind\":\"counters\",\"recording\":{\"moved\":[{\"before\":%s}]}",
                "\"recorded\"," + TEST + ",\"kind\":\"prints\",\"recording\":{\"prints\":[{\"shape\":[%s]}]}",
                "\"recorded\"," + TEST + ",\"kind\":\"other\",\"recording\":{\"a\":%s}",
                "\"compared\"," + TEST + ",\"comparison\":{\"version\":%s}",
            })
    void objectWithLongNumberIsNamedAndSkipped(String rest) throws IOException {
        assertLeftOut((HEAD + rest.formatted("9".repeat(5_000)) + "}\n").getBytes(StandardCharsets.UTF_8), "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"counters", "unknown"})
    void deeplyNestedLineIsNamedAndSkipped(String member) throws IOException {
        String deep = "{\"a\":[".repeat(5_000) + "]}".repeat(5_000);
        assertLeftOut(
                (HEAD + "\"hostErrors\",\"moment\":\"end\",\"" + member + "\":" + deep + "}\n")
                        .getBytes(StandardCharsets.UTF_8),
                " is not an event and was skipped");
    }

    @Test
    void tooLongLineIsNamedAndSkipped() throws IOException {
        byte[] line = new byte[20 << 20];
        Arrays.fill(line, (byte) 'x');
        line[line.length - 1] = '\n';
        assertLeftOut(line, " has " + (line.length - 1) + " bytes and was skipped: a line has at most 16777216");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"leased\"," + TEST + ",\"cores\":[1],\"waitedNanos\":1",
                "\"leased\"," + TEST + ",\"cores\":[null],\"waitedNanos\":1",
                "\"leased\"," + TEST + ",\"cores\":[],\"waitedNanos\":1.5",
                "\"leased\"," + TEST + ",\"cores\":[],\"waitedNanos\":9223372036854775808",
                "\"leased\",\"test\":\"good\",\"cores\":[],\"waitedNanos\":1",
                "\"leased\",\"test\":{\"id\":7,\"name\":[]},\"cores\":[],\"waitedNanos\":1",
                "\"phaseStarted\"," + TEST + ",\"phase\":\"no phase\"",
                "\"phaseStarted\"," + TEST + ",\"phase\":{}",
                "\"runFinished\",\"passed\":\"1\"",
                "\"violated\"," + TEST + ",\"violation\":{}",
                "\"recorded\"," + TEST + ",\"kind\":\"counters\",\"recording\":[]",
            })
    void lineWithWrongTypesIsNamedAndSkipped(String rest) throws IOException {
        assertLeftOut((HEAD + rest + "}\n").getBytes(StandardCharsets.UTF_8), ", ");
    }

    /** Verifies that odd but readable values stop no command. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"leased\"," + TEST + ",\"cores\":[\"\",\"(\",\"/\"],\"waitedNanos\":9223372036854775807",
                "\"leased\"," + TEST + ",\"cores\":[],\"waitedNanos\":-9223372036854775808",
                "\"platformChosen\",\"kind\":\"real\",\"host\":\"/\",\"choice\":\"auto\",\"origin\":\"x\",\"devices\":2147483647,\"cores\":2147483647,\"lnc\":-1",
                "\"hostErrors\",\"moment\":\"end\",\"counters\":{\"a\":99999999999999999999999999,\"b\":1e900,\"c\":\"d\",\"e\":[{}]}",
                "\"recorded\"," + TEST
                        + ",\"kind\":\"counters\",\"recording\":{\"moved\":[{\"place\":{\"a\":[]},\"counter\":[1],\"field\":{\"field\":1},\"before\":1e900,\"after\":1e-900,\"delta\":-1e900}],\"foreign\":[7,{\"field\":null}]}",
                "\"recorded\"," + TEST
                        + ",\"kind\":\"counters\",\"recording\":{\"moved\":[{\"place\":\"a\",\"counter\":\"b\",\"unit\":\"bytes\",\"before\":1e900,\"after\":99999999999999999999999,\"delta\":1e9999999990}]}",
                "\"recorded\"," + TEST + ",\"kind\":\"counters\",\"recording\":{\"moved\":{\"moved\":[{}]}}",
                "\"recorded\"," + TEST
                        + ",\"kind\":\"profile\",\"recording\":{\"title\":[],\"executions\":[{\"metrics\":{\"total_time\":1e900,\"throttle_x_active_time_nc0_percent\":1e900}},{\"metrics\":{\"total_time\":-1e-900}}],\"thresholds\":[{\"value\":1e900,\"bound\":-1e900}]}",
                "\"recorded\"," + TEST
                        + ",\"kind\":\"prints\",\"recording\":{\"prints\":[{\"arrived\":7,\"shape\":[{},null],\"values\":{\"nan\":1e900}},7],\"mismatches\":[{\"mismatches\":1e900}]}",
                "\"recorded\"," + TEST + ",\"kind\":\"prints\",\"recording\":{\"prints\":7,\"doubts\":{}}",
                "\"compared\"," + TEST + ",\"comparison\":{\"version\":1e900}",
                "\"attached\"," + TEST + ",\"name\":\"n\",\"mediaType\":\"m\",\"bytes\":-1,\"file\":\"\\u0000\"",
                "\"holderDied\",\"pid\":-1,\"test\":\"\",\"cores\":[],\"survivors\":[]",
                "\"quarantined\",\"test\":\"\",\"cores\":[\"\"],\"reason\":\"\",\"pid\":0",
                "\"recorded\"," + TEST + ",\"kind\":\"counters\",\"recording\":{\"moved\":[],\"moved\":[]}",
                "\"recorded\"," + TEST
                        + ",\"kind\":\"prints\",\"recording\":{\"prints\":[{\"core\":\"a\",\"core\":\"b\"}]}",
                "\"recorded\"," + TEST
                        + ",\"kind\":\"profile\",\"recording\":{\"executions\":[{\"metrics\":{\"total_time\":1,\"total_time\":2}}]}",
                "\"compared\"," + TEST + ",\"comparison\":{\"version\":1,\"version\":2}",
                "\"noticed\",\"notice\":\"half \\ud83e of a pair\"",
                "\"noticed\",\"test\":{\"id\":\"[method:half \\ud83e]\",\"name\":\"half \\ud83e\"},\"notice\":\"half \\ud83e\"",
                "\"runStarted\",\"version\":-1,\"pid\":9223372036854775807,\"java\":\"\",\"os\":\"\",\"module\":\"\",\"directory\":\"\"",
            })
    void oddButReadableLineStillGivesReport(String rest) throws IOException {
        // given: the line twice, for sums that are too large to store
        with((HEAD + rest + "}\n" + HEAD.replace("3", "4") + rest + "}\n").getBytes(StandardCharsets.UTF_8));

        // when
        CommandFixture report = report(folder.resolve("runs").toString());

        // then
        assertThat(report.status()).as(report.err()).isZero();
        assertThat(unfolded(report)).contains("1 passed");
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void reasonWithManySpacesDoesNotDelayReport() throws IOException {
        // given
        with((HEAD + "\"testFinished\"," + TEST.replace("good()", "bad()") + ",\"outcome\":\"failed\",\"cores\":[],"
                        + "\"reason\":\"wide" + " ".repeat(200_000) + "row\"}\n")
                .getBytes(StandardCharsets.UTF_8));

        // when
        CommandFixture report = report(folder.resolve("runs").toString());

        // then
        assertThat(report.status()).as(report.err()).isZero();
        assertThat(unfolded(report)).contains("1 failed, 1 passed");
    }

    @Test
    void timesAcrossThreeCenturiesStillGiveReport() throws IOException {
        // given
        String[] years = {"1970-01-01", "2262-01-01", "1970-01-02", "2262-01-02", "1970-01-03", "2262-01-03"};
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < years.length; i++) {
            lines.append("{\"seq\":%s,\"time\":\"%sT00:00:00Z\",\"event\":\"phaseStarted\",%s,\"phase\":\"body\"}\n"
                    .formatted(i + 3, years[i], TEST.replace("good()", "other" + i / 2 + "()")));
        }
        with(lines.toString().getBytes(StandardCharsets.UTF_8));

        // when
        CommandFixture report = report(folder.resolve("runs").toString());

        // then
        assertThat(report.status()).as(report.err()).isZero();
        assertThat(unfolded(report)).contains("1 passed", "the clock was set back");
    }

    @Test
    void badLineFailsGate() throws IOException {
        // given
        Path file = with((HEAD + "\"unheard\",\"number\":NaN}\n").getBytes(StandardCharsets.UTF_8));

        // when
        CommandFixture report = report(folder.resolve("runs").toString(), "--gate");

        // then
        assertThat(report.status()).as(report.err()).isEqualTo(1);
        assertThat(unfolded(report))
                .contains("1 passed", file + ": line 3 is not an event and was skipped", "GATES FAILED: 1 of");
    }

    @Test
    void folderNamedLikeRunFileIsProblem() throws IOException {
        // given
        Path file = with(new byte[0]);
        Path odd = Files.createDirectory(file.resolveSibling("run-8-00000000-0000-0000-0000-000000000000.jsonl"));

        // when
        CommandFixture report = report(folder.resolve("runs").toString());

        // then
        assertThat(report.status()).as(report.err()).isZero();
        assertThat(unfolded(report)).contains("1 passed", odd + " is a folder, not a run file.");
    }

    @Test
    void runFileOfOnlyBadLinesExitsWith2() throws IOException {
        // given
        Path file = Files.writeString(
                Files.createDirectories(folder.resolve("runs"))
                        .resolve("run-8-00000000-0000-0000-0000-000000000000.jsonl"),
                "junk\n".repeat(1_000));

        // when
        CommandFixture report = report(folder.resolve("runs").toString());

        // then
        assertThat(report.status()).isEqualTo(2);
        assertThat(report.err())
                .contains(
                        file + ": line 1 is not an event",
                        file + ": line 100 is not an event",
                        file + ": 900 more problems")
                .doesNotContain("line 101 ");
    }
}
