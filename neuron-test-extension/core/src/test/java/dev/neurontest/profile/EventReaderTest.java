package dev.neurontest.profile;

import static dev.neurontest.profile.EventFileFixture.instruction;
import static dev.neurontest.profile.EventFileFixture.instructions;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.profile.table.TableFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the requirements of reading events on a JVM. */
class EventReaderTest {

    private static final String READER = "org\\.duckdb\\..*|java\\.sql\\..*";

    @TempDir
    Path folder;

    @Test
    void fullJsonLoadsNoClassOfTableReader() throws IOException {
        // given
        Path file = instructions(folder, instruction(5, "e", "o", "l"));

        // when
        List<String> said =
                EventReaderFixture.run(file, EventReaderFixture.classPath(), "-Xlog:class+load", "-Xshare:auto");

        // then
        assertThat(loaded(said)).contains("dev.neurontest.profile.ProfileEvents");
        assertThat(loaded(said)).noneMatch(type -> type.matches(READER));
        assertThat(said).contains("5 ns");
    }

    @Test
    void tablesLoadDuckDb() throws IOException {
        // given
        TableFixture.write(folder, "Instruction", "select 5::bigint as duration_ns");

        // when
        List<String> said = EventReaderFixture.run(folder, EventReaderFixture.classPath(), "-Xlog:class+load");

        // then
        assertThat(loaded(said)).contains("org.duckdb.DuckDBDriver", "java.sql.Connection");
        assertThat(said).contains("5 ns");
    }

    private static List<String> loaded(List<String> said) {
        return said.stream()
                .filter(line -> line.contains("[class,load]"))
                .map(line -> line.replaceFirst("^(?:\\[[^]]*\\])+ (\\S+) .*", "$1"))
                .toList();
    }

    @Test
    void missingDuckDbIsReportedWithDependency() throws IOException {
        // given
        TableFixture.write(folder, "Instruction", "select 5::bigint as duration_ns");

        // when
        List<String> said = EventReaderFixture.run(folder, EventReaderFixture.classPathWithoutDuckDb());

        // then
        assertThat(said)
                .singleElement()
                .asString()
                .startsWith(
                        "DuckDB, which reads the tables of a profile, is not on the class path. Add org.duckdb:duckdb_jdbc:");
    }

    @Test
    void reportsWhyDuckDbCannotUnpackLibrary() throws IOException {
        // given
        TableFixture.write(folder, "Instruction", "select 5::bigint as duration_ns");

        // when
        List<String> said = EventReaderFixture.run(
                folder, EventReaderFixture.classPath(), "-Djava.io.tmpdir=" + folder.resolve("not there"));

        // then
        assertThat(String.join("\n", said))
                .startsWith("DuckDB cannot be used here (")
                .contains("not there) from which libraries may be loaded");
    }

    @Test
    void fullJsonIsReadWithoutDuckDb() throws IOException {
        // given
        Path file = instructions(folder, instruction(5, "e", "o", "l"));

        // then
        assertThat(EventReaderFixture.run(file, EventReaderFixture.classPathWithoutDuckDb()))
                .containsExactly("5 ns");
    }
}
