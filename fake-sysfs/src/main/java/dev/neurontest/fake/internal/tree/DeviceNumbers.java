package dev.neurontest.fake.internal.tree;

import org.apiguardian.api.API;

/** Numbers of the device nodes, and the list of all device numbers. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DeviceNumbers {

    /**
     * Major number of the devices; their minor numbers are their indices. The real driver gets a major number from the kernel, such
     * as 243. This number is the first that the kernel never assigns (CHRDEV_MAJOR_MAX). Therefore a node of the fake never opens a
     * device of the machine, and no device of the machine counts as one of the fake.
     */
    public static final int MAJOR = 512;

    /** Content of {@code proc/devices}: the entries of every machine, and the driver. */
    static final String LIST = """
            Character devices:
              1 mem
              5 /dev/tty
              5 /dev/console
              5 /dev/ptmx
             10 misc
            136 pts
            """ + MAJOR + """
             neuron

            Block devices:
            259 blkext
            """;

    private DeviceNumbers() {}

    /** Formats both numbers of a device as its attribute {@code dev} prints them. */
    static String of(int minor) {
        return MAJOR + ":" + minor;
    }
}
