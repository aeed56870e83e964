package dev.neurontest.internal.device;

import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Whether any process of the machine uses the driver. The kernel counts references to the module: each open device node has some,
 * those of other users and of other containers too, until all that its close does is over ({@code chrdev_open} and {@code __fput} of
 * Linux; {@code ncdev_fops} of {@code neuron_cdev.c} names the module as its owner).
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DriverUse {

    private static final String REFERENCES = "sys/module/neuron/refcnt";

    private static final Pattern COUNT = Pattern.compile("0|[1-9][0-9]{0,9}");

    private DriverUse() {}

    /**
     * Whether it is certain that no process has a device open, so that no counter moves by one.
     *
     * @param tree the host's files
     * @return false also where this cannot be seen: a driver that is built into the kernel shows no references
     */
    public static boolean isNone(HostTree tree) {
        return references(tree).equals(OptionalLong.of(0));
    }

    /**
     * Reads how many references there are to the module.
     *
     * @param tree the host's files
     * @return empty where the kernel does not show them
     */
    public static OptionalLong references(HostTree tree) {
        try {
            String count = new String(tree.read(REFERENCES), StandardCharsets.US_ASCII).strip();
            return COUNT.matcher(count).matches() ? OptionalLong.of(Long.parseLong(count)) : OptionalLong.empty();
        } catch (IOException unseen) {
            return OptionalLong.empty();
        }
    }
}
