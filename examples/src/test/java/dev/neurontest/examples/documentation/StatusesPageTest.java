package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.runtime.RuntimeCause;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.runtime.RuntimeStatus.CoreVerdict;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the tables of statuses and causes match the code. {@code -Dupdate.docs=true} writes them. */
class StatusesPageTest {

    private static final Path PAGE = Path.of("../docs/statuses.md");
    private static final String TABLES = "## Statuses\n\n";

    @Test
    void tablesMatchTheCode() throws IOException {
        // given
        String page = Files.readString(PAGE);
        String expected = page.substring(0, page.indexOf(TABLES)) + TABLES + statuses() + "\n## Causes\n\n"
                + "Lines of the runtime and of the kernel log name these causes.\n\n" + causes()
                + "\nNext: [workloads](workloads.md#when-it-fails), [troubleshooting](troubleshooting.md).\n";

        // when
        if (Boolean.getBoolean("update.docs")) {
            Files.writeString(PAGE, expected);
        }

        // then
        assertThat(Files.readString(PAGE))
                .as("docs/statuses.md; -Dupdate.docs=true writes it")
                .isEqualTo(expected);
    }

    private static String statuses() {
        return "| status | | it can be | core | what to do |\n|---|---|---|---|---|\n"
                + RuntimeStatus.all().stream()
                        .filter(RuntimeStatus::isFailure)
                        .flatMap(StatusesPageTest::rows)
                        .collect(Collectors.joining());
    }

    /** Returns a row of the status, and one for each stage with another meaning. */
    private static Stream<String> rows(RuntimeStatus status) {
        return Stream.concat(
                Stream.of(row(status, Stage.UNKNOWN)),
                Arrays.stream(Stage.values())
                        .filter(stage -> !content(status, stage).equals(content(status, Stage.UNKNOWN)))
                        .map(stage -> row(status, stage)));
    }

    private static String row(RuntimeStatus status, Stage stage) {
        String name = stage == Stage.UNKNOWN
                ? "`%s` (%s)".formatted(status.name(), status.code())
                : "%s %s".formatted(status.code(), stage.phrase());
        return "| %s | %s | %s |\n"
                .formatted(name, stage == Stage.UNKNOWN ? status.meaning() : "", content(status, stage));
    }

    private static String content(RuntimeStatus status, Stage stage) {
        return "%s | %s | %s"
                .formatted(faults(status.faults(stage)), verdict(status.core(stage)), status.advice(stage));
    }

    private static String causes() {
        return "| cause | it can be | core | what to do |\n|---|---|---|---|\n"
                + Arrays.stream(RuntimeCause.values())
                        .map(cause -> "| %s | %s | %s | %s |\n"
                                .formatted(
                                        cause.meaning(), faults(cause.faults()), verdict(cause.core()), cause.advice()))
                        .collect(Collectors.joining());
    }

    private static String faults(Collection<Fault> faults) {
        return faults.stream().map(Fault::phrase).collect(Collectors.joining("; "));
    }

    private static String verdict(CoreVerdict verdict) {
        return verdict == CoreVerdict.STAY
                ? "stays"
                : verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
