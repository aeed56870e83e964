package dev.neurontest.internal.device;

import dev.neurontest.device.NeuronHost;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * How the runtime's core numbers lie on the physical cores of a device. Position p of a device is the p-th core in the
 * runtime's order; the map gives the K of its {@code neuron_coreK}.
 *
 * <p>The tables are the driver's logical to physical map (its ioctl 120, from driver 2.19.64 on). Which one it uses depends on the
 * platform, by the product name of the machine and the version of the driver, and on an UltraServer on which node this is. Where a
 * host behaves differently (run on one logical core and look which {@code neuron_core*} counts), pass the right map to
 * {@link NeuronHost#discover(dev.neurontest.internal.host.HostTree, LogicalCoreSize, CoreMap)}.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum CoreMap {
    /** Chosen by what the host is: its family, its platform and its driver. */
    BY_FAMILY,
    /** Position p is core p: Inf1, Inf2, Trn1. */
    IDENTITY,
    /** The driver's {@code seng-swap}: every Trn2, and Trn3 on standard machines and UltraServers. */
    TRN2,
    /** The same with the dies flipped: an UltraServer whose {@code node_id_2} is 1. */
    TRN2_FLIPPED,
    /** The driver's {@code seng-swap-pds}: Trn3 on PDS machines from driver 2.27.4 on and on MAX. Even and odd devices differ. */
    TRN3_PDS,
    /** What driver 2.26 has in its place. */
    TRN3_PDS_2_26;

    private static final int CORES = 8;

    private static final List<List<Integer>> TRN2_ROWS = List.of(
            List.of(4, 5, 6, 7, 2, 3, 0, 1),
            List.of(2, 3, 0, 1, 4, 5, 6, 7),
            List.of(0, 1, 2, 3, 6, 7, 4, 5),
            List.of(6, 7, 4, 5, 0, 1, 2, 3));

    /** A die flip looks the position up XOR this, which gives the row of the device with this index XOR it, too. */
    private static final int FLIP = 6;

    /** What {@code neuron.test.core.map} calls it, such as {@code trn2-flipped}. */
    public String setting() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether a device with these cores can be numbered by this map. */
    public boolean fits(List<Integer> cores) {
        return this == IDENTITY || cores.equals(List.of(0, 1, 2, 3, 4, 5, 6, 7));
    }

    /**
     * The physical core at a position.
     *
     * @param device the number N of the device {@code neuronN}
     * @param position from 0, in the runtime's order
     * @return the number K of {@code neuron_coreK}
     * @throws IllegalArgumentException when this map has no such position
     * @throws IllegalStateException for {@link #BY_FAMILY}, which is resolved by discovery
     */
    public int physical(int device, int position) {
        if (this != IDENTITY && (position < 0 || position >= CORES)) {
            throw new IllegalArgumentException(this + " has positions 0 to 7, not " + position);
        }
        return switch (this) {
            case BY_FAMILY -> throw new IllegalStateException("which map it is depends on the host");
            case IDENTITY -> position;
            case TRN2 -> trn2Row(device).get(position);
            case TRN2_FLIPPED -> trn2Row(device ^ FLIP).get(position);
            case TRN3_PDS -> TRN2_ROWS.get(device % 2 == 0 ? 0 : 3).get(position);
            case TRN3_PDS_2_26 -> TRN2_ROWS.get(device % 2 == 0 ? 0 : 1).get(position);
        };
    }

    /** Rows repeat as 0 1 0 1 2 3 2 3 over every eight devices. */
    private static List<Integer> trn2Row(int device) {
        return TRN2_ROWS.get((device & 1) + ((device & 4) == 0 ? 0 : 2));
    }
}
