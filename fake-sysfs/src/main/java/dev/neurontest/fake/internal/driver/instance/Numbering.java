package dev.neurontest.fake.internal.driver.instance;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The order in which the runtime counts the cores of a device (ioctl 120): a table for one platform.
 *
 * @param platform the platform
 * @param since the first release with this order
 * @param rows the cores of device 0, 1, ... in the order in which the runtime counts them; after the last row, the first row is used again
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Numbering(Platform platform, DriverRelease since, List<List<Integer>> rows) {

    /** Mask for a position if dies are flipped. */
    private static final int FLIP = 6;

    /**
     * Returns the physical core at a position.
     *
     * @param device the index of the device
     * @param position the position in the runtime's counting order, from 0
     * @param flipped true if the dies of the server are flipped
     * @return the index of the physical core, from 0
     */
    public int physicalCore(int device, int position, boolean flipped) {
        return rows.get(device % rows.size()).get(flipped ? position ^ FLIP : position);
    }
}
