package dev.neurontest.fake.internal.profiler.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the tables of schema 7.4.0, and of their output by the tool. */
class SchemaTest {

    private final Schema schema = new Schema();

    @Test
    void hasThe52TablesOfTheFactsWithTheirColumns() {
        assertThat(schema.tables()).hasSize(52);
        assertThat(Map.of("Summary", 101, "Instruction", 55, "Metadata", 38, "DmaPacketAggregated", 37, "Warning", 2))
                .allSatisfy((name, columns) ->
                        assertThat(schema.table(name).columns()).as(name).hasSize(columns));
        assertThat(schema.table("MemoryBandwidthPoint").columns()).isEmpty();
    }

    @Test
    void describesTypeAndUnitOfColumns() {
        assertThat(column("Instruction", "start_ts"))
                .isEqualTo(new Column("start_ts", ColumnType.LONG, false, true, "ns", List.of()));
        assertThat(column("Summary", "total_time"))
                .isEqualTo(new Column("total_time", ColumnType.WIDE_FLOAT, false, false, "seconds", List.of()));
        assertThat(column("Error", "type").allowed()).containsExactly("Custom Notification", "Errors", "Warnings");
        assertThat(column("SystemProfileEvents", "flow_id").list()).isTrue();
        assertThat(column("DmaPacket", "queue_type").unit()).isEmpty();
    }

    private Column column(String table, String name) {
        return schema.table(table).columns().stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
