package dev.neurontest.fake;

import org.apiguardian.api.API;

/** The two commands that make profiles. Both take the same subcommands. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ProfilerTool {
    /** From SDK 2.27 on. Its default output serves and never ends. */
    NEURON_EXPLORER("neuron-explorer"),
    /** Up to SDK 2.29. Its default output needs InfluxDB. */
    NEURON_PROFILE("neuron-profile");

    private final String command;

    ProfilerTool(String command) {
        this.command = command;
    }

    /**
     * Its name.
     *
     * @return that of its file under {@code opt/aws/neuron/bin}
     */
    public String command() {
        return command;
    }

    /**
     * Looks a tool up.
     *
     * @param command its name
     * @return the tool
     * @throws IllegalArgumentException when no tool has that name
     */
    public static ProfilerTool of(String command) {
        for (ProfilerTool tool : values()) {
            if (tool.command.equals(command)) {
                return tool;
            }
        }
        throw new IllegalArgumentException(
                "no profiler is called \"" + command + "\"; there are neuron-explorer and neuron-profile");
    }
}
