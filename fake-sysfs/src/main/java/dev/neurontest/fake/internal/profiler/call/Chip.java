package dev.neurontest.fake.internal.profiler.call;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The properties of a chip that affect metrics.
 *
 * <p>Clock, bandwidth and peak of Trn1, Inf2 and Trn2 follow from the identities of genuine summaries. The clocks of Trn3, its
 * bandwidth, the clocks of the Vector Engine, the limits under throttling and the sizes of SBUF are published values. The peak of
 * Trn3 for BF16 follows from the clock and size of its Tensor Engine, which are those of Trn2. No
 * value of Inf1 is known: it uses those of Trn1.
 *
 * @param family family such as {@code Trn2}
 * @param clock cycles per second of a core, its Scalar Engine and its GpSimd Engine; the Tensor Engine has twice as many
 * @param vectorClock cycles per second of the Vector Engine
 * @param bandwidth bytes per second from and to a stack of device memory
 * @param dmaBandwidth bytes per second of all DMA engines of a physical core
 * @param peak operations per second of a physical core
 * @param throttledLimit fraction of its speed that the Tensor Engine keeps while it is throttled
 * @param sbufBytes size of SBUF of a physical core
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Chip(
        String family,
        double clock,
        double vectorClock,
        double bandwidth,
        double dmaBandwidth,
        double peak,
        double throttledLimit,
        long sbufBytes) {

    /** Number of DMA engines of a physical core. */
    public static final int DMA_ENGINES = 16;

    /** Number of rows of the Tensor Engine, and of its columns. */
    public static final int TENSOR_ROWS = 128;

    private static final List<Chip> ALL = List.of(
            new Chip("Trn1", 1.4e9, 1.12e9, 410e9, DMA_ENGINES * 27.2e9, 91.7504e12, 0.63, 24 << 20),
            new Chip("Inf2", 1.4e9, 1.12e9, 410e9, DMA_ENGINES * 27.2e9, 91.7504e12, 0.63, 24 << 20),
            new Chip("Trn2", 1.2e9, 0.96e9, 716e9, DMA_ENGINES * 27.2e9, 78.6432e12, 0.5, 28 << 20),
            new Chip("Trn3", 1.2e9, 1.2e9, 1225e9, DMA_ENGINES * 38.4e9, 78.6432e12, 0.5, 32 << 20));

    /**
     * Returns the chip of a family or an instance type. Returns the first chip for an unknown name.
     *
     * @param name name such as {@code Trn2} or {@code trn2.48xlarge}
     */
    public static Chip of(String name) {
        return ALL.stream()
                .filter(chip -> name.regionMatches(true, 0, chip.family, 0, chip.family.length()))
                .findFirst()
                .orElse(ALL.get(0));
    }

    /** Returns the cycles per second of the Tensor Engine: an element of it multiplies and adds in each. */
    public double tensorClock() {
        return peak / (2.0 * TENSOR_ROWS * TENSOR_ROWS);
    }

    /**
     * Returns the additional time of a first execution.
     *
     * @return picoseconds; 0 unless it is Trn1
     */
    public long startUpPicoseconds() {
        return family.equals("Trn1") ? 2_080_000_000L : 0;
    }
}
