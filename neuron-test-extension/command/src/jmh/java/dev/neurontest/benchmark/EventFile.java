package dev.neurontest.benchmark;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A full JSON as the profiler writes it for a large model: known fields, repeated names, long operands. */
final class EventFile {

    private static final String[] ENGINES = {"TensorMatrix", "Vector", "Scalar", "GpSimd", "Sync"};
    private static final String[] OPCODES = {
        "MATMUL", "LDWEIGHTS", "ACTIVATE", "TENSOR_TENSOR", "TENSOR_COPY", "TENSOR_REDUCE", "TRANSPOSE", "SEM_WAIT"
    };
    private static final String[] PARTS = {
        "self_attn/q_proj", "self_attn/k_proj", "self_attn/softmax", "mlp/gate_proj", "mlp/down_proj", "input_layernorm"
    };
    private static final int LAYERS = 80;
    private static final int QUEUES = 64;
    private static final int CHUNK = 1 << 16;

    private final Random random = new Random(4);
    private final StringBuilder text = new StringBuilder(2 * CHUNK);
    private long timestamp = 10_261_883_214L;
    private long records;

    private EventFile() {}

    /** Writes a file of about the given size, two thirds of it instructions, and returns the number of events. */
    static long write(Path file, long bytes) throws IOException {
        try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(file))) {
            new EventFile().write(stream, bytes);
        }
        return Files.size(file);
    }

    private void write(OutputStream stream, long bytes) throws IOException {
        text.append("{\"metadata\":[{\"version\":\"2.29.18.0\"}],\"instruction\":[");
        long written = array(stream, 0, bytes * 2 / 3, this::instruction);
        text.append("],\"dma\":[");
        array(stream, written, bytes, this::transfer);
        text.append("],\"summary\":[{\"total_time\":0.017,\"event_count\":").append(records);
        text.append("}],\"warnings\":[]}");
        flush(stream);
    }

    private long array(OutputStream stream, long before, long end, Runnable record) throws IOException {
        long written = before;
        for (boolean first = true; written + text.length() < end; first = false) {
            text.append(first ? "" : ",");
            record.run();
            records++;
            if (text.length() >= CHUNK) {
                written += flush(stream);
            }
        }
        return written + flush(stream);
    }

    private int flush(OutputStream stream) throws IOException {
        byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
        stream.write(bytes);
        text.setLength(0);
        return bytes.length;
    }

    /** Returns a duration between about ten nanoseconds and ten microseconds. */
    private long duration() {
        return (long) (40 + Math.exp(5 + 1.2 * random.nextGaussian()));
    }

    private void instruction() {
        long duration = duration();
        timestamp += duration / 3;
        int opcode = random.nextInt(OPCODES.length);
        int layer = (int) (records / 2_000 % LAYERS);
        String part = PARTS[(int) (records / 100 % PARTS.length)];
        number("{\"timestamp\":", timestamp);
        number(",\"duration\":", duration);
        number(",\"evt_wait_time\":", random.nextInt(500));
        name(",\"label\":", ENGINES[opcode % ENGINES.length]);
        name(",\"hlo_name\":", "%dot." + records % 5_000 + " = dot(%fusion." + layer + ", %custom-call.44)");
        name(",\"opcode\":", OPCODES[opcode]);
        name(",\"compiler_opcode\":", "BIR_" + OPCODES[opcode]);
        name(
                ",\"operands\":",
                "S[5] (Tensor)++@complete acc_flags=3 row_grp=q0 src=fp16@0x" + Long.toHexString(timestamp & 0xffff)
                        + "[1,0,0][3,1,1] dst=0x2000000[1,0,0][3,1,1] 3*128 ");
        name(",\"layer\":", "model/layers." + layer + "/" + part);
        name(",\"instruction_type\":", "compute");
        name(",\"subgraph\":", "sg00");
        number(",\"read_bytes\":", duration * 128);
        number(",\"write_bytes\":", duration * 64);
        name(",\"bir_debug_info_source_location\":", "modeling_llama.py:" + (200 + layer));
        name(",\"nki_source_location\":", "");
        number(",\"stack_frame_ids\":[", records % 900);
        number(",", records % 77);
        text.append("]}");
    }

    private void transfer() {
        long duration = duration();
        timestamp += duration / 7;
        number("{\"aggregated\":", 0);
        number(",\"crc\":", 0);
        name(",\"dest\":", "sbuf:0x" + Long.toHexString(timestamp & 0xffffff));
        number(",\"dma_engine\":", records % 16);
        name(",\"dma_queue\":", "qSyncSpIo" + records % QUEUES);
        text.append(",\"duplicate\":false");
        number(",\"duration\":", duration);
        number(",\"id\":", records);
        text.append(",\"is_cc_dma\":false");
        name(",\"op\":", "write");
        number(",\"packet_aggregation_id\":", records / 8);
        number(",\"packet_idx\":", records % 8);
        name(",\"queue_type\":", "io");
        number(",\"read_size\":", 4_096);
        name(",\"semaphore_id\":", "-1");
        name(",\"source\":", "hbm:0x" + Long.toHexString(timestamp));
        name(",\"subgroup\":", "dma");
        number(",\"timestamp\":", timestamp);
        text.append(",\"transfer_rate\":").append(4_096.0 / duration);
        number(",\"transfer_size\":", 4_096);
        name(",\"variable\":", "weights." + records % 300);
        number(",\"write_size\":", 4_096);
        text.append('}');
    }

    private void number(String name, long value) {
        text.append(name).append(value);
    }

    private void name(String name, String value) {
        text.append(name).append('"').append(value).append('"');
    }
}
