package dev.neurontest.fake.internal.profiler.call;

import org.apiguardian.api.API;

/**
 * One of the two commands, in one version.
 *
 * @param tool {@code neuron-explorer} or {@code neuron-profile}
 * @param version such as {@code 2.25.145.0%kaena-tools/2.25@866f606}; its second number is that of the SDK
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ToolRelease(String tool, String version) {

    /** The newer command. */
    public static final String EXPLORER = "neuron-explorer";
    /** The older command. */
    public static final String PROFILE = "neuron-profile";

    /**
     * The tools of the same SDK as a driver, whose runtime is as far ahead of the tools as the tools are of the driver.
     *
     * @param driver its version
     * @return a release of the Explorer
     */
    public static ToolRelease ofDriver(String driver) {
        return new ToolRelease(EXPLORER, "2." + (new ToolRelease("driver", driver).minor() + 2) + ".0");
    }

    /**
     * Which command it is.
     *
     * @return true for {@link #EXPLORER}
     */
    public boolean explorer() {
        return tool.equals(EXPLORER);
    }

    /**
     * The minor version of the SDK that it belongs to; 0 when the version does not say.
     *
     * @return the second number
     */
    public int minor() {
        int from = version.indexOf('.') + 1;
        int to = from;
        while (to < version.length() && Character.isDigit(version.charAt(to))) {
            to++;
        }
        return from == 0 || to == from || to - from > 4 ? 0 : Integer.parseInt(version.substring(from, to));
    }

    /**
     * SDK 2.33 is the last whose Explorer writes the full JSON.
     *
     * @return true up to it
     */
    public boolean writesJson() {
        return minor() < 34;
    }

    /**
     * The version of the schema: that of 2.31 and 2.32, then that of 2.33.
     *
     * @return as the tool prints it
     */
    public String schema() {
        return minor() < 33 ? "7.4.0" : "12.0.1";
    }

    /**
     * The newest format that it reads, and that the runtime beside it writes. Seen or reported: 3 with tools 2.19, 4 with runtime
     * 2.23, 5 with tools 2.25, 6 with 2.28, 7 with 2.32. In between unverified.
     *
     * @return the version of the format
     */
    public int ntffVersion() {
        int minor = minor();
        if (minor < 20) {
            return 3;
        }
        if (minor < 25) {
            return 4;
        }
        if (minor < 28) {
            return 5;
        }
        return minor < 32 ? 6 : 7;
    }
}
