package dev.neurontest.fake.internal.tool;

import org.apiguardian.api.API;

/**
 * A version of a profiler command.
 *
 * @param tool {@code neuron-explorer} or {@code neuron-profile}
 * @param version version such as {@code 2.25.145.0%kaena-tools/2.25@866f606}; its second number is that of the SDK
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ToolRelease(String tool, String version) {

    /** The newer command. */
    public static final String EXPLORER = "neuron-explorer";
    /** The older command. */
    public static final String PROFILE = "neuron-profile";

    /**
     * Returns the tools of the same SDK as a driver. Their minor version is 2 higher than that of the driver; that of the runtime
     * is another 2 higher.
     *
     * @param driver version of the driver
     * @return a release of the Explorer
     */
    public static ToolRelease ofDriver(String driver) {
        return new ToolRelease(EXPLORER, "2." + (new ToolRelease("driver", driver).minor() + 2) + ".0");
    }

    /** Returns whether the command is {@link #EXPLORER}. */
    public boolean explorer() {
        return tool.equals(EXPLORER);
    }

    /** Returns the minor version of the SDK, the second number of the version. Returns 0 if the version has none. */
    public int minor() {
        int from = version.indexOf('.') + 1;
        int to = from;
        while (to < version.length() && Character.isDigit(version.charAt(to))) {
            to++;
        }
        return from == 0 || to == from || to - from > 4 ? 0 : Integer.parseInt(version.substring(from, to));
    }

    /** Returns whether the Explorer writes the full JSON. SDK 2.33 is the last in which it does. */
    public boolean writesJson() {
        return minor() < 34;
    }

    /** Returns the version of the schema as the tool prints it. 2.31 and 2.32 have one version, 2.33 another. */
    public String schema() {
        return minor() < 33 ? "7.4.0" : "12.0.1";
    }

    /**
     * Returns the newest NTFF format that the tool reads and the runtime of the same SDK writes. Observed or reported: 3 with tools
     * 2.19, 4 with runtime 2.23, 5 with tools 2.25, 6 with 2.28, 7 with 2.32. Versions in between are unverified.
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
