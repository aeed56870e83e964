package dev.neurontest.internal.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.PhysicalCore;
import dev.neurontest.internal.text.ShellText;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The command by which a person takes one core out of quarantine. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FreeingCommand {

    private static final String COMMAND = "neuron-test doctor --free=";

    private FreeingCommand() {}

    /**
     * Returns the command for the table that the settings name.
     *
     * @param core by the names of its physical cores, joined by {@code +}
     * @return for a shell
     */
    public static String of(String core) {
        return COMMAND + ShellText.of(core);
    }

    /**
     * Returns the command for the table that the settings name.
     *
     * @param core of the host
     * @return for a shell
     */
    public static String of(NeuronCore core) {
        return of(core.physicalCores().stream().map(PhysicalCore::toString).collect(Collectors.joining("+")));
    }

    /**
     * Returns the command for a table.
     *
     * @param core by the names of its physical cores, joined by {@code +}
     * @param table its directory
     * @return for a shell
     */
    public static String of(String core, Path table) {
        return "NEURON_TEST_LEASE_DIRECTORY=%s %s".formatted(ShellText.of(table.toString()), of(core));
    }
}
