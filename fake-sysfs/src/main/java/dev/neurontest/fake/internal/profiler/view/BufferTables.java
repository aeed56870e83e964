package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.call.Chip;
import dev.neurontest.fake.internal.profiler.table.TableFile;
import java.io.IOException;
import java.util.List;

/**
 * The utilization of the buffers of each physical core over time. Each layer fills the buffers anew. A model that spills fills
 * SBUF; any other needs only the space for its inputs and weights. The utilization of PSUM follows the active time of the Tensor
 * Engine.
 */
final class BufferTables {

    /** Utilization of SBUF by a model that spills. */
    private static final double FULL = 0.97;

    private static final double AT_BEGIN_OF_LAYER = 0.5;
    private static final int POINTS_IN_LAYER = 4;
    private static final List<Integer> PARTITIONS = List.of(0, 32, 64, 96);
    private static final List<Integer> BANKS = List.of(0, 1, 2, 3, 4, 5, 6, 7);

    private final Summary summary;
    private final Chip chip;
    private final int cores;
    private final long nanoseconds;

    BufferTables(Summary summary, Chip chip, int cores, long nanoseconds) {
        this.summary = summary;
        this.chip = chip;
        this.cores = cores;
        this.nanoseconds = nanoseconds;
    }

    void write(TableFolder folder) throws IOException {
        folder.write("SbufUsage", file -> points(file, sbuf(), PARTITIONS, "partition_%s_util_percent"));
        folder.write(
                "PsumUsage",
                file -> points(
                        file, summary.number("tensor_engine_active_time_percent"), BANKS, "bank_%s_util_percent"));
    }

    private double sbuf() {
        return summary.count("spill_save_bytes", 0) > 0
                ? FULL
                : Math.min(FULL, (double) summary.count("inputs_and_weights_size_bytes", 0) / chip.sbufBytes());
    }

    private void points(TableFile file, double peak, List<Integer> parts, String column) throws IOException {
        int points = Events.layers() * POINTS_IN_LAYER;
        for (int core = 0; core < cores; core++) {
            for (int i = 0; i < points; i++) {
                double filled = (double) (i % POINTS_IN_LAYER) / (POINTS_IN_LAYER - 1);
                double share = peak * (AT_BEGIN_OF_LAYER + (1 - AT_BEGIN_OF_LAYER) * filled);
                file.put("timestamp", Events.BEGINNING + nanoseconds / points * i)
                        .put("avg_util_percent", share);
                for (int part : parts) {
                    file.put(column.formatted(part), share);
                }
                file.put("pcore_idx", core).endRow();
            }
        }
    }
}
