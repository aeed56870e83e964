package dev.neurontest.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that is really killed, in the middle of its work. */
class RunFileKilledTest {

    private static final int ANNOUNCED = 1000;

    @TempDir
    Path folder;

    @Test
    void what_was_written_before_the_jvm_was_killed_is_there() throws Exception {
        // given
        Process jvm = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        WriterFixture.class.getName(),
                        folder.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Path file;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            String ready = out.readLine();
            assertThat(ready).startsWith("ready ");
            file = Path.of(ready.substring("ready ".length()));
        } finally {
            // when
            jvm.destroyForcibly().waitFor();
        }

        // then
        RunLog log = RunLog.read(file);
        assertThat(log.lines()).hasSizeGreaterThanOrEqualTo(ANNOUNCED + 1);
        assertThat(log.lines().stream().mapToLong(RunLine::sequence))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, log.lines().size()).boxed().toList());
        assertThat(log.lines()).noneMatch(line -> line.event() instanceof RunEvent.RunFinished);
        assertThat(log.problems()).hasSizeLessThanOrEqualTo(1).allMatch(problem -> problem.contains(" is torn after "));
    }

    /** Says when a thousand events are written, and goes on writing until it is killed. */
    static final class WriterFixture {

        private WriterFixture() {}

        public static void main(String[] arguments) throws IOException {
            try (RunFile file = new RunFile(
                    Path.of(arguments[0]), warning -> Runtime.getRuntime().halt(1))) {
                for (int index = 0; index < ANNOUNCED; index++) {
                    file.append(new RunEvent.Noticed(null, "event " + index));
                }
                System.out.println("ready " + file.path().orElseThrow());
                while (true) {
                    file.append(new RunEvent.Noticed(null, "one more"));
                }
            }
        }
    }
}
