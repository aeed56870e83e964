package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.neurontest.internal.profile.table.TableFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fuzz tests of tables: each is read, or refused in one way. A changed byte may change a number without detection,
 * because the pages of a table need no checksum.
 */
class EventTablesFuzzTest {

    private static final int INPUTS = Integer.getInteger("fuzz.tables", 50);

    @TempDir
    Path folder;

    private Path table;
    private byte[] whole;

    @BeforeEach
    void writeTable() throws IOException {
        TableFixture.write(folder, "Instruction", """
                select range * 7 as start_ts, range % 50 as duration_ns, 'engine' || range % 3 as engine, 'op' || range % 5 as opcode,
                    case when range % 2 = 0 then 'layer' || range % 9 end as layer, 'operands ' || range as operands, range as id
                from range(300)""");
        table = folder.resolve("Instruction.parquet");
        whole = Files.readAllBytes(table);
    }

    @Test
    void brokenTablesAreReadOrRefused() throws IOException {
        int read = 0;
        for (int number = 0; number < INPUTS; number++) {
            Random random = new Random(number);
            byte[] broken = whole.clone();
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
            }

            // when
            Files.write(table, broken);
            Throwable thrown = catchThrowable(() -> ProfileEvents.read(folder).toText());

            // then
            if (thrown == null) {
                read++;
            } else {
                assertThat(thrown)
                        .as("input %s", number)
                        .isInstanceOf(TablesException.class)
                        .hasMessageContaining(folder.toString());
            }
        }
        assertThat(read).isBetween(1, INPUTS - 1);
    }

    @Test
    void cutTablesAreRefused() throws IOException {
        for (int length = 0; length < whole.length; length += 307) {
            // when
            Files.write(table, Arrays.copyOf(whole, length));
            Throwable thrown = catchThrowable(() -> ProfileEvents.read(folder));

            // then
            assertThat(thrown)
                    .as("cut after %s bytes", length)
                    .isInstanceOf(TablesException.class)
                    .hasMessageContaining("View the trace again");
        }
    }
}
