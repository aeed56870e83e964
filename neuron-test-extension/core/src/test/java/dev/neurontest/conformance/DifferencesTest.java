package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Tests that the documentation names all differences for which the suite skips cases of a view. */
class DifferencesTest {

    @Test
    void fakeHostPageHasTableOfAllDifferences(TestReporter reporter) throws IOException {
        String table = View.table();
        reporter.publishEntry("differences", table);

        assertThat(Files.readString(Path.of("../../docs/fake-host.md")))
                .as("docs/fake-host.md, which is to show this table:\n%s", table)
                .contains("\n\n" + table + "\n");
    }
}
