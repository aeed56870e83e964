package dev.neurontest.internal.device;

import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The use of the driver by any process of the machine. The kernel counts references to the module. Each open device node holds
 * some until its close is complete, including nodes opened by other users and other containers ({@code chrdev_open} and
 * {@code __fput} of Linux; {@code ncdev_fops} of {@code neuron_cdev.c} names the module as its owner).
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DriverUse {

    private static final String REFERENCES = "sys/module/neuron/refcnt";

    private static final Pattern COUNT = Pattern.compile("0|[1-9][0-9]{0,9}");

    private DriverUse() {}

    /**
     * Returns whether certainly no process has a device open. No process can change a counter then.
     *
     * @return false also if the references are not visible, as with a driver that is built into the kernel
     */
    public static boolean isNone(HostTree tree) {
        return references(tree).equals(OptionalLong.of(0));
    }

    /**
     * Reads the number of references to the module.
     *
     * @return the number; empty if the kernel does not show it
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
