package dev.neurontest.internal.device;

import dev.neurontest.device.NeuronHost;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The map from the runtime's core numbers to the physical cores of a device. Position p of a device is the p-th core in the
 * runtime's order. The map returns the K of its {@code neuron_coreK}.
 *
 * <p>The tables are the driver's logical to physical map (its ioctl 120, from driver 2.19.64 on). The driver selects a table by
 * platform, that is, by the product name of the machine and the version of the driver. On an UltraServer the selection also
 * depends on the node. If a host behaves differently, pass the right map to
 * {@link NeuronHost#discover(dev.neurontest.internal.host.HostTree, LogicalCoreSize, CoreMap)}. To check it, run on one logical
 * core and read the counters of each {@code neuron_core*}.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum CoreMap {
    /** Automatic choice by the family, platform and driver of the host. */
    BY_FAMILY,
    /** Identity, with position p as core p: Inf1, Inf2, Trn1. */
    IDENTITY,
    /** The driver's {@code seng-swap}: every Trn2, and Trn3 on standard machines and UltraServers. */
    TRN2,
    /** The table of {@link #TRN2} with flipped dies: an UltraServer with a {@code node_id_2} of 1. */
    TRN2_FLIPPED,
    /** The driver's {@code seng-swap-pds}: Trn3 on PDS machines from driver 2.27.4 on and on MAX. Even and odd devices differ. */
    TRN3_PDS,
    /** The table of driver 2.26 for the same machines as {@link #TRN3_PDS}. */
    TRN3_PDS_2_26;

    private static final int CORES = 8;

    private static final List<List<Integer>> TRN2_ROWS = List.of(
            List.of(4, 5, 6, 7, 2, 3, 0, 1),
            List.of(2, 3, 0, 1, 4, 5, 6, 7),
            List.of(0, 1, 2, 3, 6, 7, 4, 5),
            List.of(6, 7, 4, 5, 0, 1, 2, 3));

    /** Bit mask of a die flip. The flip looks up a position XOR this mask. The result equals the row of the device index XOR this mask. */
    private static final int FLIP = 6;

    /** Returns the value of {@code neuron.test.core.map} for this map, such as {@code trn2-flipped}. */
    public String setting() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns whether this map can number a device with these cores. */
    public boolean fits(List<Integer> cores) {
        return this == IDENTITY || cores.equals(List.of(0, 1, 2, 3, 4, 5, 6, 7));
    }

    /**
     * Returns the physical core at a position.
     *
     * @param device the number N of the device {@code neuronN}
     * @param position position in the runtime's order, starting at 0
     * @return the number K of {@code neuron_coreK}
     * @throws IllegalArgumentException when this map has no such position
     * @throws IllegalStateException for {@link #BY_FAMILY}, because discovery replaces it
     */
    public int physical(int device, int position) {
        if (this != IDENTITY && (position < 0 || position >= CORES)) {
            throw new IllegalArgumentException(this + " has positions 0 to 7, not " + position);
        }
        return switch (this) {
            case BY_FAMILY -> throw new IllegalStateException("the map depends on the host");
            case IDENTITY -> position;
            case TRN2 -> trn2Row(device).get(position);
            case TRN2_FLIPPED -> trn2Row(device ^ FLIP).get(position);
            case TRN3_PDS -> TRN2_ROWS.get(device % 2 == 0 ? 0 : 3).get(position);
            case TRN3_PDS_2_26 -> TRN2_ROWS.get(device % 2 == 0 ? 0 : 1).get(position);
        };
    }

    /** Returns the row of a device. Rows repeat as 0 1 0 1 2 3 2 3 over every eight devices. */
    private static List<Integer> trn2Row(int device) {
        return TRN2_ROWS.get((device & 1) + ((device & 4) == 0 ? 0 : 2));
    }
}
