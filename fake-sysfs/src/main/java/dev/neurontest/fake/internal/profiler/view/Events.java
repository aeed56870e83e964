package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Script;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The events of a trace, from which the full JSON and the tables are generated. The values are invented. The total time of an
 * engine's instructions is about its time in the summary, unless a script makes some slower.
 */
final class Events {

    /** Start of the trace in nanoseconds. */
    static final long BEGINNING = 10_000_000_000L;

    /** Names of the engines in the JSON; the tables shorten the first. */
    static final List<String> LABELS = List.of("TensorMatrix", "Vector", "Scalar", "GpSimd", "Sync");

    static final List<String> ENGINES = List.of("Tensor", "Vector", "Scalar", "GpSimd", "Sync");

    private static final String[][] OPCODES = {
        {"MATMUL", "LOAD_STATIONARY", "MATMUL", "TRANSPOSE"},
        {"TENSOR_TENSOR", "TENSOR_REDUCE", "COPY"},
        {"ACTIVATE", "ACTIVATE", "COPY"},
        {"IOTA", "MEMSET"},
        {"SEMAPHORE", "NOP"}
    };
    // Where the line is not known, genuine tables contain both empty texts and nulls.
    private static final @Nullable String[][] LINES = {
        {"attention.py:120", "attention.py:112", "mlp.py:57", "attention.py:98"},
        {"attention.py:131", "norm.py:24", "mlp.py:61"},
        {"attention.py:127", "mlp.py:59", "norm.py:31"},
        {"mask.py:15", "attention.py:104"},
        {"", null}
    };
    private static final int LAYERS = 24;
    private static final int USUAL_RECORDS = 2000;
    private static final int DMA_EVERY = 4;
    private static final int QUEUES = 8;
    private static final int DMA_ENGINES = 16;

    /** Size of a packet in bytes. */
    static final long PACKET_BYTES = 4096;

    private final Summary summary;
    private final Ntff ntff;
    private final long instructions;
    private final int cores;
    private final List<Slower> slower = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private final List<Warning> warnings = new ArrayList<>();
    private final List<Spill> spills = new ArrayList<>();

    /**
     * An executed instruction.
     *
     * @param id number from 0
     * @param start nanoseconds
     * @param duration nanoseconds
     * @param waited nanoseconds before the start
     * @param engine index in {@link #ENGINES}
     * @param opcode name of the operation code
     * @param layer name of the layer
     * @param hloName name of the operation
     * @param operands operands in assembler syntax
     * @param line file and line; empty or null if it is not known
     * @param core the physical core, from 0
     */
    record Instruction(
            long id,
            long start,
            long duration,
            long waited,
            int engine,
            String opcode,
            String layer,
            String hloName,
            String operands,
            @Nullable String line,
            int core) {}

    /** A packet of a transfer: its number, its start and duration in nanoseconds, and its location. */
    record Packet(long id, long start, long duration, int engine, int queue, long weight, boolean duplicate) {}

    /** A warning of the tool about the quality of its numbers. */
    record Warning(String category, String message) {}

    private record Slower(String name, double factor) {}

    private record Spill(long instruction, long bytes) {}

    Events(Summary summary, Ntff ntff, Call call) {
        this.summary = summary;
        this.ntff = ntff;
        this.cores = Math.max(1, ntff.graphs().size());
        long records = Long.parseLong(call.argument(Effect.RECORDS, 0, -1, "-1"));
        this.instructions = records >= 0 ? records : Math.min(USUAL_RECORDS, countOfAll(summary));
        long dropped = ntff.properties().number("dropped", 0);
        if (dropped > 0) {
            warnings.add(new Warning(
                    "dropped",
                    dropped + " Notifications from block DMA of type DMA were dropped."
                            + " This can cause corresponding data to be incorrect."));
        }
        for (Script script : call.scripts((int) ntff.properties().number("rank", 0))) {
            List<String> words = script.arguments();
            switch (script.effect()) {
                case WARNING -> warnings.add(new Warning(Script.text(words.get(0)), Script.text(words.get(1))));
                case HARDWARE_ERROR -> errors.add(Script.text(words.get(0)));
                case SLOWER -> slower.add(new Slower(words.get(0), Double.parseDouble(words.get(1))));
                case SPILL -> addSpill(words.get(0), Long.parseLong(words.get(1)));
                default -> {
                    // This effect changes no event.
                }
            }
        }
    }

    private static long countOfAll(Summary summary) {
        long all = 0;
        for (String engine : ENGINES) {
            all += summary.count(engine.toLowerCase(Locale.ROOT) + "_engine_instruction_count", 0);
        }
        return all;
    }

    /** Adds the spilled bytes to the first instruction of a layer or line. */
    private void addSpill(String name, long bytes) {
        for (long i = 0; i < instructions; i++) {
            if (isAt(name, i)) {
                spills.add(new Spill(i, bytes));
                return;
            }
        }
    }

    private boolean isAt(String name, long i) {
        return name.equals(layer(i)) || name.equals(line(i));
    }

    long instructions() {
        return instructions;
    }

    long packets() {
        return instructions / DMA_EVERY;
    }

    List<Warning> warnings() {
        return warnings;
    }

    /** Returns the descriptions of hardware errors. */
    List<String> errors() {
        return errors;
    }

    Instruction instruction(long i) {
        int engine = engine(i);
        long layer = i * LAYERS / Math.max(1, instructions);
        return new Instruction(
                i,
                timestamp(i, instructions),
                duration(engine, i),
                i % 7,
                engine,
                OPCODES[engine][at(i, OPCODES[engine].length)],
                layer(i),
                "%op." + layer + " = dot(%arg, %weight." + layer + ")",
                "S[" + i % 32 + "] src=bf16@0x" + Long.toHexString(0x5600 + i % 4096)
                        + "[1,0,0][3,1,1] dst=0x2000000[1,0,0][3,1,1] 3*128",
                line(i),
                (int) (i / ENGINES.size() % cores));
    }

    private static int engine(long i) {
        return (int) (i % ENGINES.size());
    }

    private static int at(long i, int count) {
        return (int) (i / ENGINES.size() % count);
    }

    private String layer(long i) {
        return "layer" + i * LAYERS / Math.max(1, instructions);
    }

    private static @Nullable String line(long i) {
        @Nullable String[] lines = LINES[engine(i)];
        return lines[at(i, lines.length)];
    }

    /** Returns the duration of an instruction, around the mean of its engine. The factor depends on the position in a cycle of seven. */
    private long duration(int engine, long i) {
        double share = (double) ENGINES.size() / Math.max(1, instructions);
        String metric = ENGINES.get(engine).toLowerCase(Locale.ROOT) + "_engine_instruction_time";
        double mean = summary.number(metric) * 1e9 * share;
        double factor = 1;
        for (Slower each : slower) {
            factor *= isAt(each.name(), i) ? each.factor() : 1;
        }
        return Math.max(1, Math.round(mean * factor * (0.5 + (i / ENGINES.size() % 7) / 6.0)));
    }

    private long timestamp(long i, long count) {
        return BEGINNING + Math.round(ntff.picoseconds() / 1000.0 * i / Math.max(1, count));
    }

    Packet packet(long i) {
        return new Packet(
                i,
                timestamp(i, Math.max(1, packets())),
                200 + i % 97,
                (int) (i % DMA_ENGINES),
                (int) (i % QUEUES),
                i % LAYERS,
                i % 50 == 49);
    }

    /** Returns the number of layers, which is also the number of weights. */
    static int layers() {
        return LAYERS;
    }

    /** Returns the sum of the bytes that single instructions spill. */
    long spilled() {
        return spills.stream().mapToLong(Spill::bytes).sum();
    }

    /** Returns the bytes that an instruction spills in addition to its share of the rest. */
    long spilled(long i) {
        long bytes = 0;
        for (Spill spill : spills) {
            bytes += spill.instruction() == i ? spill.bytes() : 0;
        }
        return bytes;
    }

    /** Returns a part of a sum. All parts add up to the sum. */
    static long part(long sum, long i, long parts) {
        return sum / parts + (i < sum % parts ? 1 : 0);
    }
}
