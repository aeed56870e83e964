package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that the table of contracts matches the library. {@code -Dupdate.docs=true} writes it. */
class StrictModePageTest {

    private static final Path PAGE = Path.of("../docs/fake-host.md");
    private static final Path LIBRARY = Path.of("../fake-sysfs/src/main/c/strict.c");
    private static final Pattern CONTRACT =
            Pattern.compile("\\[[A-Z_]+] = \\{\"([a-z_.]+)\", \"([a-z_]+)\",\\s+\"([^\"]+)\"}");
    private static final Pattern TABLE = Pattern.compile("\\| function \\| header \\| contract \\|\n(\\|.*\n)+");

    @Test
    void pageListsEachContractOfStrictMode() throws IOException {
        // given
        String rows = CONTRACT.matcher(Files.readString(LIBRARY))
                .results()
                .map(each -> "| `%s` | `%s` | %s |\n".formatted(each.group(2), each.group(1), each.group(3)))
                .collect(Collectors.joining());
        String expected = "| function | header | contract |\n|---|---|---|\n" + rows;

        // when
        if (Boolean.getBoolean("update.docs")) {
            Files.writeString(PAGE, TABLE.matcher(Files.readString(PAGE)).replaceFirst(expected));
        }

        // then
        assertThat(rows.lines()).hasSizeGreaterThan(10);
        assertThat(Files.readString(PAGE))
                .as("docs/fake-host.md; -Dupdate.docs=true writes it")
                .contains("\n\n" + expected + "\n");
    }
}
