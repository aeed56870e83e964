package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Chip;
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
        {"MATMUL", "LDWEIGHTS", "MATMUL", "MATMUL"},
        {"TENSOR_TENSOR", "TENSOR_REDUCE", "COPY"},
        {"ACTIVATE", "ACTIVATE", "COPY"},
        {"IOTA", "MEMSET"},
        {"EVENT_SEMAPHORE", "NOP"}
    };
    // Where the line is not known, genuine tables contain both empty texts and nulls.
    private static final @Nullable String[][] LINES = {
        {"attention.py:120", "attention.py:112", "mlp.py:57", "attention.py:98"},
        {"attention.py:131", "norm.py:24", "mlp.py:61"},
        {"attention.py:127", "mlp.py:59", "norm.py:31"},
        {"mask.py:15", "attention.py:104"},
        {"", null}
    };
    private static final int TENSOR = 0;
    private static final int OPCODES_OF_TENSOR = OPCODES[TENSOR].length;
    private static final int WEIGHT_LOAD = 1;
    private static final int TRANSPOSE = 3;

    /** Number of instructions after which the next physical core follows: each opcode of each engine. */
    private static final int CYCLE = ENGINES.size() * OPCODES_OF_TENSOR;

    /** Number of instructions after which each engine begins anew on each physical core. */
    private static final int BURST = 2 * CYCLE;

    private static final int LAYERS = 24;
    private static final int USUAL_RECORDS = 2000;
    private static final int DMA_EVERY = 4;
    private static final int QUEUES = 8;

    private final Ntff ntff;
    private final long instructions;
    private final int cores;
    private final long startUp;
    private final double[] meanDuration = new double[ENGINES.size()];
    private final double[] activeShare = new double[ENGINES.size()];
    private final long flops;
    private final long transposeFlops;
    private final long dmaNanoseconds;
    private final long dmaBytes;
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
     * @param tensor the work of the Tensor Engine; null on another engine
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
            int core,
            @Nullable Tensor tensor) {

        long end() {
            return start + duration;
        }

        /** Returns the compiler's instruction: that of a matrix multiplication loads its weights, too. */
        String birId() {
            return "I-" + (opcode.equals("LDWEIGHTS") ? id + ENGINES.size() : id);
        }
    }

    /** The type of an instruction of the Tensor Engine, and its operations. */
    record Tensor(String type, long flops) {

        boolean isTranspose() {
            return type.equals("TRANSPOSE");
        }
    }

    /** A transfer of a weight: its number, its start and duration in nanoseconds, its size in bytes, and its location. */
    record Transfer(long id, long start, long duration, long bytes, int queue, long weight, int core) {}

    /** A packet of a transfer: its number, its duration in nanoseconds, its size in bytes, and its engine. */
    record Packet(long id, Transfer transfer, long duration, long bytes, int engine, boolean duplicate) {}

    /** A warning of the tool about the quality of its numbers. */
    record Warning(String category, String message) {}

    private record Slower(String name, double factor) {}

    private record Spill(long instruction, long bytes) {}

    Events(Summary summary, Ntff ntff, Call call) {
        this.ntff = ntff;
        this.cores = Math.max(1, ntff.graphs().size());
        this.startUp = ntff.properties().number("start-up", 0);
        long records = Long.parseLong(call.argument(Effect.RECORDS, 0, -1, "-1"));
        this.instructions = records >= 0 ? records : Math.min(USUAL_RECORDS, countOfAll(summary));
        for (int engine = 0; engine < ENGINES.size(); engine++) {
            String metric = ENGINES.get(engine).toLowerCase(Locale.ROOT) + "_engine_";
            double time = summary.number(metric + "instruction_time");
            meanDuration[engine] = time * 1e9 / Math.max(1, instructionsOf(engine));
            activeShare[engine] = time == 0 ? 1 : Math.min(1, summary.number(metric + "active_time") / time);
        }
        this.flops = summary.sum("adjusted_hardware_flops").orElse(0);
        this.transposeFlops =
                Math.min(flops, summary.sum("adjusted_transpose_flops").orElse(0));
        this.dmaNanoseconds = Math.max(0, Math.round(summary.number("dma_active_time") * 1e9));
        this.dmaBytes = summary.sum("dma_transfer_total_bytes").orElse(0);
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

    /** Returns the active time of an engine as a fraction of the time of its instructions, which overlap. */
    double activeShare(int engine) {
        return activeShare[engine];
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
                start(engine, i),
                duration(engine, i),
                i % 7,
                engine,
                OPCODES[engine][at(i, OPCODES[engine].length)],
                layer(i),
                "%op." + layer + " = dot(%arg, %weight." + layer + ")",
                "S[" + i % 32 + "] src=bf16@0x" + Long.toHexString(0x5600 + i % 4096)
                        + "[1,0,0][512,1,1] dst=0x2000000[1,0,0][512,1,1] 128*128",
                line(i),
                core(i),
                engine == TENSOR ? tensor(i / ENGINES.size()) : null);
    }

    private int core(long i) {
        return (int) (i / CYCLE % cores);
    }

    /** Returns the number of instructions of an engine. */
    private long instructionsOf(int engine) {
        return (instructions + ENGINES.size() - 1 - engine) / ENGINES.size();
    }

    /** Returns the work of an instruction of the Tensor Engine. The operations of all add up to the summary; loading weights needs none. */
    private Tensor tensor(long number) {
        long all = instructionsOf(TENSOR);
        long transposes = all / OPCODES_OF_TENSOR;
        long transposed = transposes == 0 ? 0 : transposeFlops;
        int opcode = (int) (number % OPCODES_OF_TENSOR);
        return switch (opcode) {
            case WEIGHT_LOAD -> new Tensor("REGULAR", 0);
            case TRANSPOSE -> new Tensor("TRANSPOSE", part(transposed, number / OPCODES_OF_TENSOR, transposes));
            default -> {
                long loads = (all + OPCODES_OF_TENSOR - 1 - WEIGHT_LOAD) / OPCODES_OF_TENSOR;
                long multiplication = number / OPCODES_OF_TENSOR * 2 + opcode / 2;
                yield new Tensor("REGULAR", part(flops - transposed, multiplication, all - transposes - loads));
            }
        };
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
        double factor = 1;
        for (Slower each : slower) {
            factor *= isAt(each.name(), i) ? each.factor() : 1;
        }
        return Math.max(1, Math.round(meanDuration[engine] * factor * (0.5 + (i / ENGINES.size() % 7) / 6.0)));
    }

    /**
     * Returns the start of an instruction. The instructions of an engine overlap in bursts, whose length is the share of the active time
     * in the summary. The bursts of the physical cores follow each other, so the active times of the cores add up to the summary.
     */
    private long start(int engine, long i) {
        long first = i - i % BURST;
        long time = 0;
        for (long each = first + engine; each <= i; each += ENGINES.size()) {
            time += core(each) == core(i) ? duration(engine, each) : 0;
        }
        long begin = timestamp(first, instructions);
        long end = timestamp(Math.min(first + BURST, instructions), instructions);
        return begin
                + (end - begin) * core(i) / cores
                + Math.max(0, Math.round(time * activeShare[engine]) - duration(engine, i));
    }

    /** Returns the time of an event among others at equal distances. There is none in the idle time at the start. */
    private long timestamp(long i, long count) {
        double nanoseconds = (ntff.picoseconds() - startUp) / 1000.0;
        return BEGINNING + startUp / 1000 + Math.round(nanoseconds * i / Math.max(1, count));
    }

    long transfers() {
        return (packets() + Chip.DMA_ENGINES - 1) / Chip.DMA_ENGINES;
    }

    /** Returns a transfer. The times of all add up to the active time of DMA in the summary, and their bytes to the bytes there. */
    Transfer transfer(long id) {
        long bytes = 0;
        long next = Math.min(packets(), (id + 1) * Chip.DMA_ENGINES);
        for (long packet = id * Chip.DMA_ENGINES; packet < next; packet++) {
            bytes += part(dmaBytes, packet, packets());
        }
        return new Transfer(
                id,
                timestamp(id, transfers()),
                Math.max(1, part(dmaNanoseconds, id, transfers())),
                bytes,
                (int) (id % QUEUES),
                id % LAYERS,
                (int) (id % cores));
    }

    /** Returns a packet of a transfer. All begin with the transfer, each in another engine; the first takes as long as the transfer. */
    Packet packet(long i) {
        Transfer transfer = transfer(i / Chip.DMA_ENGINES);
        int engine = (int) (i % Chip.DMA_ENGINES);
        return new Packet(
                i,
                transfer,
                Math.max(1, transfer.duration() - transfer.duration() * engine / (2 * Chip.DMA_ENGINES)),
                part(dmaBytes, i, packets()),
                engine,
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
