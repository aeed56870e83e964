package dev.neurontest.fake.internal.driver.instance;

import java.util.List;
import org.apiguardian.api.API;

/**
 * In which order the runtime counts the cores of a device (ioctl 120): a table of one platform.
 *
 * @param platform the platform
 * @param since the first release that has it
 * @param rows for device 0, 1, ... its cores in the order in which the runtime counts them; behind the last row the first again
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Numbering(Platform platform, DriverRelease since, List<List<Integer>> rows) {

    /** Where dies are flipped, a position is looked up under this one. */
    private static final int FLIP = 6;

    /**
     * Where a core is.
     *
     * @param device its index
     * @param position of the core as the runtime counts, from 0
     * @param flipped whether the dies of the server are flipped
     * @return the physical core, from 0
     */
    public int physicalCore(int device, int position, boolean flipped) {
        return rows.get(device % rows.size()).get(flipped ? position ^ FLIP : position);
    }
}
