package dev.neurontest.profile.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.RuntimeStatus;
import dev.neurontest.profile.SampleFixture;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToolLogTest {

    private static List<String> fatalLines() {
        return SampleFixture.text("error-lines.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\| ", 3))
                .filter(cells -> cells[1].equals("fatal"))
                .map(cells -> cells[2])
                .toList();
    }

    private static List<String> harmlessLines() {
        return SampleFixture.text("error-lines.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\| ", 3))
                .filter(cells -> cells[1].equals("not fatal") || cells[1].endsWith(", normal"))
                .map(cells -> cells[2])
                .toList();
    }

    @ParameterizedTest
    @MethodSource("fatalLines")
    void showsEachGenuineErrorBehindHarmlessOnes(String line) {
        // given
        String log = String.join("\n", harmlessLines()) + "\n" + line + "\n";

        // then
        assertThat(new ToolLog(log).errorLine())
                .contains(line.strip()
                        .replaceAll("\\s+", " ")
                        .transform(it -> it.substring(0, Math.min(400, it.length()))));
    }

    @Test
    void showsNoPartOfADumpOfTheEnvironment() {
        // given
        ToolLog log = new ToolLog("""
                2026-May-10 06:59:24.3 1:1 ERROR   NRT:nrt_infodump   Neuron runtime information - please include in any support request:
                2026-May-10 06:59:24.3 1:1 ERROR   NRT:nrt_infodump   HOME=/root
                2026-May-10 06:59:24.3 1:1 ERROR   NRT:nrt_infodump   AWS_SESSION=abc failed
                2026-May-10 06:59:24.3 1:1 ERROR   NRT:nrt_infodump   -----8<-----
                2026-May-10 06:59:24.3 1:1 ERROR   NRT:nrt_load   failed to load the model
                """);

        // then
        assertThat(log.errorLine()).contains("2026-May-10 06:59:24.3 1:1 ERROR NRT:nrt_load failed to load the model");
    }

    @Test
    void showsWhatCameBeforeADumpThatEndsTheLog() {
        // given
        ToolLog log = new ToolLog("""
                1:1 ERROR   NRT:nrt_load   bad NEFF
                1:1 ERROR   NRT:nrt_infodump   HOME=/root
                1:1 ERROR   NRT:nrt_infodump   -----8<-----
                """);

        // then
        assertThat(log.errorLine()).contains("1:1 ERROR NRT:nrt_load bad NEFF");
    }

    @Test
    void showsTheLastLineWhereNoneTellsOfAnError() {
        // then
        assertThat(new ToolLog("one\ntwo\n\n").errorLine()).contains("two");
        assertThat(new ToolLog("").errorLine()).isEmpty();
    }

    @Test
    void blamesNoLineThatIsKnownToBeHarmless() {
        // given
        String harmless = "ERRO[0001] invalid DMA duration - transfer rate is invalid";

        // then
        assertThat(new ToolLog("serving\n" + harmless).errorLine()).contains("serving");
        assertThat(new ToolLog(harmless).errorLine()).isEmpty();
    }

    @Test
    void findsStatuses() {
        // then
        assertThat(new ToolLog("nrt_execute status=1202\nexecution completed with numerical error (NaN)\n").statuses())
                .containsExactly(RuntimeStatus.of(1202), RuntimeStatus.of(1003));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 7, 9, 1005, 1204})
    void tellsThatAHostCouldNotServe(int status) {
        // then
        assertThat(FailureClass.of(List.of(RuntimeStatus.of(status)))).isEqualTo(FailureClass.ENVIRONMENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 101, 1200, 1201, 1202, 1203, 1205})
    void tellsThatADeviceIsBrokenWhateverElse(int status) {
        // then
        assertThat(FailureClass.of(List.of(RuntimeStatus.of(1003), RuntimeStatus.of(status))))
                .isEqualTo(FailureClass.DEVICE);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 10, 1002, 1006})
    void tellsThatTheNeffOrItsInputsDoNotFit(int status) {
        // then
        assertThat(FailureClass.of(List.of(RuntimeStatus.of(status)))).isEqualTo(FailureClass.NEFF_OR_INPUTS);
    }
}
