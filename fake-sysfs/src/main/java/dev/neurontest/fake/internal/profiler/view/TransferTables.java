package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.table.TableFile;
import java.io.IOException;

/** The tables of transfers: their packets, the transfers, and the instructions that triggered them. */
final class TransferTables {

    private static final int PARTITIONS = 128;

    private final Events events;

    TransferTables(Events events) {
        this.events = events;
    }

    void write(TableFolder folder, boolean hasInstructions) throws IOException {
        folder.write("DmaPacket", this::packets);
        folder.write("DmaPacketAggregated", this::transfers);
        if (hasInstructions) {
            folder.write("Flow", this::triggers);
        }
    }

    private void packets(TableFile file) throws IOException {
        for (long i = 0; i < events.packets(); i++) {
            Events.Packet each = events.packet(i);
            Events.Transfer transfer = each.transfer();
            file.put("start_ts", transfer.start())
                    .put("end_ts", transfer.start() + each.duration())
                    .put("duration_ns", each.duration())
                    .put("pcore_idx", transfer.core())
                    .put("id", each.id())
                    .put("packet_idx", each.engine())
                    .put("packet_aggregation_id", transfer.id())
                    .put("engine_idx", each.engine())
                    .put("read_bytes", each.bytes())
                    .put("write_bytes", each.bytes())
                    .put("transfer_bytes", each.bytes())
                    .put("throughput", bytesPerSecond(each.bytes(), each.duration()))
                    .put("queue_type", "data")
                    .put("variable", "weight." + transfer.weight())
                    .put("queue_name", "qIo" + transfer.queue())
                    .put("queue_idx", transfer.queue())
                    .put("crc", 0)
                    .endRow();
        }
    }

    private void transfers(TableFile file) throws IOException {
        for (long i = 0; i < events.transfers(); i++) {
            Events.Transfer each = events.transfer(i);
            String shape = "[" + PARTITIONS + ", " + each.bytes() / PARTITIONS + "]";
            file.put("start_ts", each.start())
                    .put("end_ts", each.start() + each.duration())
                    .put("duration_ns", each.duration())
                    .put("id", each.id())
                    .put("pcore_idx", each.core())
                    .put("block_id", each.id())
                    .put("queue_idx", each.queue())
                    .put("queue_name", "qIo" + each.queue())
                    .put("queue_type", "data")
                    .put("op", "read")
                    .put("variable", "weight." + each.weight())
                    .put("read_bytes", each.bytes())
                    .put("write_bytes", each.bytes())
                    .put("transfer_bytes", each.bytes())
                    .put("throughput", bytesPerSecond(each.bytes(), each.duration()))
                    .put("source", "[[INPUT]]")
                    .put("dest", "[SB]")
                    .put("semaphore_id", "-1")
                    .put("read_sbuf_partitions", "")
                    .put("read_num_sbuf_partitions", 0)
                    .put("read_shape", shape)
                    .put("read_offset", "[0x0]")
                    .put("read_steps", "[1, 1]")
                    .put("write_sbuf_partitions", "0-127")
                    .put("write_num_sbuf_partitions", PARTITIONS)
                    .put("write_shape", shape)
                    .put("write_offset", "[0x0]")
                    .put("write_steps", "[1, 1]")
                    .put("is_transpose_mode", false)
                    .endRow();
        }
    }

    private void triggers(TableFile file) throws IOException {
        for (long i = 0; i < events.transfers(); i++) {
            file.put("in_id", i * events.instructions() / events.transfers())
                    .put("out_id", i)
                    .put("in_table", "Instruction")
                    .put("out_table", "DmaPacketAggregated")
                    .endRow();
        }
    }

    private static double bytesPerSecond(long bytes, long nanoseconds) {
        return bytes * 1e9 / nanoseconds;
    }
}
