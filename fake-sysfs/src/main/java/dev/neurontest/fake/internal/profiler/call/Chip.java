package dev.neurontest.fake.internal.profiler.call;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The properties of a chip that affect metrics.
 *
 * <p>Clock, bandwidth and peak of Trn1, Inf2 and Trn2 follow from the identities of genuine summaries. The limits under throttling
 * and the sizes of SBUF are published values. Other values of Trn3 are not known: it uses those of Trn2.
 *
 * @param family family such as {@code Trn2}
 * @param clock cycles per second
 * @param bandwidth bytes per second from and to a stack of device memory
 * @param peak operations per second of a physical core
 * @param throttledLimit fraction of its speed that the Tensor Engine keeps while it is throttled
 * @param sbufBytes size of SBUF of a physical core
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Chip(String family, double clock, double bandwidth, double peak, double throttledLimit, long sbufBytes) {

    private static final List<Chip> ALL = List.of(
            new Chip("Trn1", 1.4e9, 410e9, 91.7504e12, 0.63, 24 << 20),
            new Chip("Inf2", 1.4e9, 410e9, 91.7504e12, 0.63, 24 << 20),
            new Chip("Trn2", 1.2e9, 716e9, 78.6432e12, 0.5, 28 << 20),
            new Chip("Trn3", 1.2e9, 716e9, 78.6432e12, 0.5, 32 << 20));

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

    /**
     * Returns the additional time of a first execution.
     *
     * @return picoseconds; 0 unless it is Trn1
     */
    public long startUpPicoseconds() {
        return family.equals("Trn1") ? 2_080_000_000L : 0;
    }
}
