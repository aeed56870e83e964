package dev.neurontest.fake.profiler.view;

import dev.neurontest.fake.profiler.ntff.Ntff;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The full JSON: an object of arrays, written record by record, so that it may be larger than the memory. The names are those of
 * genuine files; the values are made up, but the sum of an engine's instructions is about its time in the summary.
 */
final class EventsJson {

    private static final String[] ENGINES = {"tensor", "vector", "scalar", "gpsimd", "sync"};
    private static final String[] LABELS = {"TensorMatrix", "Vector", "Scalar", "GpSimd", "Sync"};
    private static final String[][] OPCODES = {
        {"MATMUL", "LOAD_STATIONARY", "MATMUL", "TRANSPOSE"},
        {"TENSOR_TENSOR", "TENSOR_REDUCE", "COPY"},
        {"ACTIVATE", "ACTIVATE", "COPY"},
        {"IOTA", "MEMSET"},
        {"SEMAPHORE", "NOP"}
    };
    private static final int LAYERS = 24;
    private static final int USUAL_RECORDS = 2000;
    private static final int DMA_EVERY = 4;
    private static final long DMA_PACKET = 4096;

    private final Summary summary;
    private final Ntff ntff;
    private final long instructions;
    private byte[] buffer = new byte[1 << 12];
    private int length;

    EventsJson(Summary summary, Ntff ntff, long records) {
        this.summary = summary;
        this.ntff = ntff;
        this.instructions = records >= 0 ? records : Math.min(USUAL_RECORDS, countOfAll(summary));
    }

    private static long countOfAll(Summary summary) {
        long all = 0;
        for (String engine : ENGINES) {
            all += summary.count(engine + "_engine_instruction_count", 0);
        }
        return all;
    }

    void write(OutputStream out) throws IOException {
        put("{\n\"summary\": [").put(summary.toJson()).put("],\n");
        put("\"metadata\": [{\"ntff_version\": ").put(ntff.version()).put("}],\n");
        put("\"neff_header\": [{\"name\": ").put(Json.quoted(ntff.neffName())).put(", \"uuid\": \"");
        put(ntff.uuidText()).put("\"}],\n");
        put("\"profile_info\": [],\n\"summary_groups\": [],\n\"terminology\": [],\n\"warnings\": [");
        long dropped = ntff.properties().number("dropped", 0);
        if (dropped > 0) {
            put("{\"message\": \"").put(dropped).put(" Notifications from block DMA of type DMA were dropped.");
            put(" This can cause corresponding data to be incorrect.\", \"category\": \"dropped\"}");
        }
        put("],\n\"instruction\": [");
        for (long i = 0; i < instructions; i++) {
            put(i == 0 ? "\n" : ",\n");
            putInstruction(i);
            flush(out);
        }
        put("\n],\n\"dma\": [");
        for (long i = 0; i < instructions / DMA_EVERY; i++) {
            put(i == 0 ? "\n" : ",\n");
            putPacket(i);
            flush(out);
        }
        put("\n]\n}\n");
        flush(out);
    }

    private void putInstruction(long i) {
        int engine = (int) (i % ENGINES.length);
        String[] opcodes = OPCODES[engine];
        String opcode = opcodes[(int) (i / ENGINES.length % opcodes.length)];
        long layer = i * LAYERS / Math.max(1, instructions);
        put("{\"timestamp\": ").put(timestamp(i, instructions));
        put(", \"duration\": ").put(duration(engine, i));
        put(", \"evt_wait_time\": ").put(i % 7);
        put(", \"label\": \"").put(LABELS[engine]).put("\", \"subgroup\": \"").put(LABELS[engine]);
        put("\", \"opcode\": \"").put(opcode).put("\", \"compiler_opcode\": \"").put(opcode);
        put("\", \"instruction_type\": \"compute\", \"subgraph\": \"sg00\", \"layer\": \"layer")
                .put(layer);
        put("\", \"hlo_name\": \"%op.").put(layer).put(" = dot(%arg, %weight.").put(layer);
        put(")\", \"operands\": \"S[").put(i % 32).put("] src=bf16@0x").put(Long.toHexString(0x5600 + i % 4096));
        put("[1,0,0][3,1,1] dst=0x2000000[1,0,0][3,1,1] 3*128\"}");
    }

    /** Around the mean of the engine, the more the record is one of seven. */
    private long duration(int engine, long i) {
        double share = (double) ENGINES.length / Math.max(1, instructions);
        double mean = summary.number(ENGINES[engine] + "_engine_instruction_time") * 1e9 * share;
        return Math.max(1, Math.round(mean * (0.5 + (i / ENGINES.length % 7) / 6.0)));
    }

    private long timestamp(long i, long of) {
        return 10_000_000_000L + Math.round(ntff.picoseconds() / 1000.0 * i / Math.max(1, of));
    }

    private void putPacket(long i) {
        long packets = Math.max(1, instructions / DMA_EVERY);
        put("{\"id\": ").put(i).put(", \"timestamp\": ").put(timestamp(i, packets));
        put(", \"duration\": ").put(200 + i % 97).put(", \"dma_engine\": ").put(i % 16);
        put(", \"dma_queue\": \"qIo")
                .put(i % 8)
                .put("\", \"queue_type\": \"static\", \"op\": \"copy\", \"subgroup\": \"dma");
        put(i % 16)
                .put("\", \"transfer_size\": ")
                .put(DMA_PACKET)
                .put(", \"read_size\": ")
                .put(DMA_PACKET);
        put(", \"write_size\": ").put(DMA_PACKET).put(", \"transfer_rate\": 20.48, \"semaphore_id\": \"-1\"");
        put(", \"source\": \"hbm\", \"dest\": \"sbuf\", \"variable\": \"weight.")
                .put(i % LAYERS);
        put("\", \"aggregated\": false, \"crc\": 0, \"duplicate\": ").put(i % 50 == 49 ? "true" : "false");
        put(", \"is_cc_dma\": false, \"packet_aggregation_id\": -1, \"packet_idx\": ")
                .put(i)
                .put("}");
    }

    private EventsJson put(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ensure(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
        return this;
    }

    private EventsJson put(long number) {
        return put(Long.toString(number));
    }

    private void ensure(int more) {
        if (length + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }

    private void flush(OutputStream out) throws IOException {
        out.write(buffer, 0, length);
        length = 0;
    }
}
