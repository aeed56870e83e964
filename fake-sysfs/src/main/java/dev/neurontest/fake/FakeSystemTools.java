package dev.neurontest.fake;

import dev.neurontest.fake.internal.systemtool.CollectivesBenchmark;
import dev.neurontest.fake.internal.systemtool.SystemToolCommand;
import dev.neurontest.fake.internal.systemtool.SystemTools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The system tools of a host: {@code neuron-ls}, which lists its devices and their processes; {@code neuron-monitor}, which reports
 * what the processes do; and {@code nccom-test}, a benchmark of collectives with scripted results. The commands are files in
 * {@link FakeNeuronHost#directory()}, under {@code opt/aws/neuron/bin}, and show the state of the host. By default they have the version of
 * the driver's SDK.
 *
 * <pre>{@code
 * host.systemTools().tool("neuron-ls", "working 2.28.23.0");
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeSystemTools {

    private final SystemTools state;
    private final InstalledTools tools;

    FakeSystemTools(int sdk, SystemTools state) {
        this.state = state;
        String installed = InstalledTools.working("2." + sdk + ".0.0");
        tools = new InstalledTools(
                SystemToolCommand.class,
                false,
                Map.of("nccom-test", installed, "neuron-ls", installed, "neuron-monitor", installed));
    }

    /**
     * Returns the state of a command: whether it is installed, and its version.
     *
     * @param command {@code neuron-ls}, {@code neuron-monitor} or {@code nccom-test}
     * @return the state
     * @throws IllegalArgumentException when there is no such command
     */
    public String tool(String command) {
        return tools.state(command);
    }

    /**
     * Installs or removes a command.
     *
     * @param command {@code neuron-ls}, {@code neuron-monitor} or {@code nccom-test}
     * @param state {@code absent} if there is no file; or {@code working} and a version, such as {@code working 2.28.23.0}. The second number
     *     of the version, that of the SDK, determines the output of {@code neuron-ls}: 29 is the first with the instance type in its JSON,
     *     and 34 the first without {@code --json-output}.
     * @return this
     * @throws IllegalArgumentException when there is no such command or state
     * @throws UncheckedIOException when its file cannot be written
     */
    public FakeSystemTools tool(String command, String state) {
        tools.change(command, state);
        return this;
    }

    /**
     * Sets the results of {@code nccom-test} from now on.
     *
     * <pre>{@code
     * host.systemTools().nccomTest("latency", "20us").nccomTest("bandwidth", 41.5);
     * }</pre>
     *
     * @param setting {@code latency}, the duration of an operation without data; {@code bandwidth}, the GiB per second of large operations;
     *     {@code algorithm}, a name; {@code failing-bytes}, the size at which the benchmark fails; {@code check}, {@code passes} or
     *     {@code fails}; or {@code exit}, the exit code of a failure: 1 by default, because that of the genuine tool is not known
     * @param value the value
     * @return this
     * @throws IllegalArgumentException when there is no such setting or value
     */
    public FakeSystemTools nccomTest(String setting, Object value) {
        collectives(collectives().with(setting, value.toString()));
        return this;
    }

    CollectivesBenchmark collectives() {
        return state.collectives();
    }

    void collectives(CollectivesBenchmark results) {
        state.collectives(results);
    }

    /**
     * Ends the script of {@code nccom-test}.
     *
     * @return this
     */
    public FakeSystemTools resetNccomTest() {
        collectives(CollectivesBenchmark.USUAL);
        return this;
    }

    void install(Path directory) throws IOException {
        tools.install(directory);
    }

    void uninstall() {
        tools.uninstall();
    }
}
