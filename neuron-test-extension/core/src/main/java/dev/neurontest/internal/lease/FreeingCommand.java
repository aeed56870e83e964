package dev.neurontest.internal.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.PhysicalCore;
import dev.neurontest.internal.text.ShellText;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The shell command that removes a core from quarantine. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FreeingCommand {

    private static final String COMMAND = "neuron-test doctor --free=";

    private FreeingCommand() {}

    /**
     * Returns the command for the table given by the settings.
     *
     * @param core the names of its physical cores, joined by {@code +}
     */
    public static String of(String core) {
        return COMMAND + ShellText.of(core);
    }

    /** Returns the command for the table given by the settings. */
    public static String of(NeuronCore core) {
        return of(core.physicalCores().stream().map(PhysicalCore::toString).collect(Collectors.joining("+")));
    }

    /**
     * Returns the command for a table.
     *
     * @param core the names of its physical cores, joined by {@code +}
     * @param table the directory of the table
     */
    public static String of(String core, Path table) {
        return "NEURON_TEST_LEASE_DIRECTORY=%s %s".formatted(ShellText.of(table.toString()), of(core));
    }
}
