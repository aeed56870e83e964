package dev.neurontest.fake.internal.driver.instance;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The place of a device in its machine.
 *
 * @param address bus, device and function, such as {@code cc:00.0}; the domain is 0
 * @param cpus the processors near the device, such as {@code 48-95,144-191}
 * @param numaNode the memory node near the device; -1 if the machine has only one
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PciSlot(String address, String cpus, int numaNode) {

    static PciSlot of(String[] columns) {
        return new PciSlot(columns[0], columns[1], Integer.parseInt(columns[2]));
    }

    /**
     * Returns made-up places for devices whose places are not known.
     *
     * @param devices the number of devices
     */
    public static List<PciSlot> unknown(int devices) {
        List<PciSlot> slots = new ArrayList<>();
        for (int device = 0; device < devices; device++) {
            slots.add(new PciSlot(HexFormat.of().toHexDigits((byte) (0x40 + device)) + ":00.0", "0-7", -1));
        }
        return List.copyOf(slots);
    }
}
