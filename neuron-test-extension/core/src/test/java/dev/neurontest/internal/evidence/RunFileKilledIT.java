package dev.neurontest.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.jvm.JvmCommand;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a JVM that is killed at work. */
class RunFileKilledIT {

    @TempDir
    Path folder;

    @Test
    void keepsEveryEventAppendedBeforeKill() throws Exception {
        // given
        Process jvm = new ProcessBuilder(JvmCommand.program(WriterFixture.class, folder.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Path file;
        List<String> appended = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            file = Path.of(out.readLine());
            while (appended.size() < 1000) {
                appended.add(out.readLine());
            }

            // when
            // through the handle, because the process would close the stream that is still to be read
            jvm.toHandle().destroyForcibly();
            jvm.waitFor();
            out.lines().forEach(appended::add);
        } finally {
            jvm.destroyForcibly();
        }

        // then
        RunLog log = RunLog.read(file);
        assertThat(log.lines().stream()
                        .map(RunLine::event)
                        .filter(RunEvent.Noticed.class::isInstance)
                        .map(event -> ((RunEvent.Noticed) event).notice()))
                .containsAll(appended.subList(0, appended.size() - 1));
        assertThat(log.lines().stream().mapToLong(RunLine::sequence))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, log.lines().size()).boxed().toList());
        assertThat(log.lines()).noneMatch(line -> line.event() instanceof RunEvent.RunFinished);
        assertThat(log.problems()).hasSizeLessThanOrEqualTo(1).allMatch(problem -> problem.contains(" is torn after "));
    }

    /** A JVM that appends until it is killed, and prints a line after each appended event. */
    static final class WriterFixture {

        private WriterFixture() {}

        public static void main(String[] arguments) {
            try (RunFile file = new RunFile(Path.of(arguments[0]), System.err::println)) {
                file.append(EventsFixture.PLATFORM);
                System.out.println(file.path().orElseThrow());
                for (long number = 0; ; number++) {
                    String notice = "event " + number;
                    file.append(new RunEvent.Noticed(null, notice));
                    System.out.println(notice);
                }
            }
        }
    }
}
