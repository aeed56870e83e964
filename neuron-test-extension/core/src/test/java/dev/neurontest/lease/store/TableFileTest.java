package dev.neurontest.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.neurontest.process.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableFileTest {

    @TempDir
    Path directory;

    private SharedFile table;
    private SharedFile lock;

    @BeforeEach
    void open() throws IOException {
        table = SharedFile.create(directory.resolve("table"), 0600);
        lock = SharedFile.create(directory.resolve("lock"), 0600);
        TableFile.allocate(table);
    }

    @AfterEach
    void close() throws IOException {
        table.close();
        lock.close();
    }

    /** A table that can be told from others. */
    private static TableState with(String... holders) {
        TableState state = new TableState();
        for (String holder : holders) {
            state.enqueue(1, holder, "1 core", "main", 1, List.of());
        }
        return state;
    }

    private String holders(long generation) throws IOException {
        return String.join(
                " ",
                TableFile.read(table, generation).queue().stream()
                        .map(TableState.Ticket::holder)
                        .toList());
    }

    @Test
    void keepsTheGenerationBefore() throws Exception {
        // when
        TableFile.write(table, 1, with("one"));
        TableFile.write(table, 2, with("one", "two"));

        // then
        assertThat(holders(1)).isEqualTo("one");
        assertThat(holders(2)).isEqualTo("one two");
    }

    @Test
    void isHarmedByNothingThatIsNotCommitted() throws Exception {
        // given
        TableFile.write(table, 1, with("one"));
        TableFile.commit(lock, TableFile.Commit.first());

        // when a JVM is killed in the middle of the next generation
        table.write(
                0, "neuron-test-leases 1 generation 000000000000000002 length 1".getBytes(StandardCharsets.US_ASCII));

        // then
        assertThat(TableFile.committed(lock)).map(TableFile.Commit::generation).contains(1L);
        assertThat(holders(1)).isEqualTo("one");
    }

    @Test
    void noticesThatACommittedGenerationIsDamaged() throws Exception {
        // given
        TableFile.write(table, 1, with("one"));

        // when
        table.write(TableFile.PLACE + 120, new byte[] {'X'});

        // then
        assertThatExceptionOfType(TableFile.DamagedTableException.class)
                .isThrownBy(() -> holders(1))
                .withMessage("generation 1 was written, but is not there");
    }

    @Test
    void noticesThatACommittedGenerationIsAnotherOne() throws Exception {
        // when
        TableFile.write(table, 1, with("one"));

        // then
        assertThatExceptionOfType(TableFile.DamagedTableException.class).isThrownBy(() -> holders(3));
        assertThatExceptionOfType(TableFile.DamagedTableException.class).isThrownBy(() -> holders(2));
    }

    @Test
    void noticesADamagedCommitRecord() throws Exception {
        // given
        TableFile.commit(lock, new TableFile.Commit("0123456789abcdef", 41));

        // when
        String record = Files.readString(directory.resolve("lock"));
        lock.write(0, record.replace("41 ", "40 ").getBytes(StandardCharsets.US_ASCII));

        // then
        assertThatExceptionOfType(TableFile.DamagedTableException.class)
                .isThrownBy(() -> TableFile.committed(lock))
                .withMessage("the commit record does not match its checksum");
    }

    @Test
    void refusesANewerFormat() throws Exception {
        // given
        TableFile.commit(lock, TableFile.Commit.first());

        // when
        lock.write(0, "neuron-test-leases 2 ".getBytes(StandardCharsets.US_ASCII));

        // then
        assertThatExceptionOfType(TableFile.NewerTableException.class)
                .isThrownBy(() -> TableFile.committed(lock))
                .withMessage("it was written by a newer version: its format is 2, this one knows 1");
    }

    @Test
    void saysThatItIsTooLarge() throws Exception {
        // given
        TableFile.write(table, 1, with("one"));
        TableState large = new TableState();
        TableState.Member member =
                large.join(new ProcessIdentity(1, 1, "here", "me"), "token", "directory", Instant.EPOCH);
        large.enqueue(member.number(), "x".repeat(TableFile.PLACE), "1 core", "main", 1, List.of());

        // then
        assertThatIOException()
                .isThrownBy(() -> TableFile.write(table, 2, large))
                .withMessageMatching(
                        "with 0 leases, 1 waiting and 0 cores in quarantine it has \\d+ bytes, and there is room for \\d+");
        assertThat(holders(1)).isEqualTo("one");
    }
}
