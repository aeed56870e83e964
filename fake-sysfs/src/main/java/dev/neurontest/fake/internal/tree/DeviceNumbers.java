package dev.neurontest.fake.internal.tree;

import org.apiguardian.api.API;

/** The number that the driver has for its devices, and the list of all such numbers. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DeviceNumbers {

    /**
     * The major of the devices; their minors are their indices. The driver takes one that the kernel picks, such as 243. This is
     * the first that the kernel gives to no driver (CHRDEV_MAJOR_MAX), so that a node of the fake never leads to a device of the
     * machine, and no device of the machine counts as one of the fake.
     */
    public static final int MAJOR = 512;

    /** The content of {@code proc/devices}: what every machine has, and the driver. */
    static final String LIST = """
            Character devices:
              1 mem
              5 /dev/tty
              5 /dev/console
              5 /dev/ptmx
             10 misc
            136 pts
            %s neuron

            Block devices:
            259 blkext
            """.formatted(MAJOR);

    private DeviceNumbers() {}

    /** Both numbers of a device, as its attribute {@code dev} prints them. */
    static String of(int minor) {
        return MAJOR + ":" + minor;
    }
}
