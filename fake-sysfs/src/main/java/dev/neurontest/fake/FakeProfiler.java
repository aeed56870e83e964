package dev.neurontest.fake;

import dev.neurontest.fake.internal.profiler.ToolScripts;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Script;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The profiler commands of a host, and what their next calls find different. They are files in
 * {@link FakeNeuronHost#directory()}, under {@code opt/aws/neuron/bin}, and take the flags of the genuine ones; the host is asked
 * by each call. By default a driver of up to SDK 2.26 has {@code neuron-profile} alone, a newer one {@code neuron-explorer} and a
 * {@code neuron-profile} that refuses.
 *
 * <pre>{@code
 * host.profiler()
 *         .script("throttle", 0.4, "times", 2)
 *         .script("metric", "spill_save_bytes", 4096);
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeProfiler {

    private static final int LAST_OLD_DRIVER = 24;
    private static final int TOOLS_AHEAD_OF_DRIVER = 2;
    private static final int MOST_CALLS = 1000;

    private final FakeNeuronHost host;
    // Guarded by this.
    private final Map<String, String> tools = new TreeMap<>();
    private final List<Pending> scripts = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private long captures;
    private long views;
    private @Nullable Path root;

    private static final class Pending {

        private final Script script;
        private int left;

        private Pending(Script script) {
            this.script = script;
            this.left = script.times();
        }
    }

    FakeProfiler(FakeNeuronHost host) {
        this.host = host;
        int driver = host.driverMinor();
        boolean isOld = driver <= LAST_OLD_DRIVER;
        tools.put("neuron-explorer", isOld ? "absent" : working(driver));
        tools.put("neuron-profile", isOld ? working(driver) : "stub");
    }

    /** In the form of tools 2.25 and 2.26; the last parts are made up. */
    private static String working(int driver) {
        int minor = driver + TOOLS_AHEAD_OF_DRIVER;
        return "working 2." + minor + ".14.0%kaena-tools/2." + minor + "@6459a28";
    }

    /**
     * Checks whether a command is installed and works.
     *
     * @param command {@code neuron-explorer}, which is from SDK 2.27 on and whose default output serves and never ends, or
     *     {@code neuron-profile}, which is up to SDK 2.29 and whose default output needs InfluxDB
     * @return its state
     * @throws IllegalArgumentException when there is no such command
     */
    public synchronized String tool(String command) {
        String state = tools.get(command);
        if (state == null) {
            throw new IllegalArgumentException(
                    "no profiler is called \"" + command + "\"; there are neuron-explorer and neuron-profile");
        }
        return state;
    }

    /**
     * Installs a command, or takes it away.
     *
     * @param command {@code neuron-explorer} or {@code neuron-profile}
     * @param state one that was seen on hosts: {@code absent}, when there is no file; {@code stub}, when it refuses every call
     *     and names the other tool; or {@code working} and a version, such as {@code working 2.25.145.0%kaena-tools/2.25@866f606},
     *     whose second number, that of the SDK, says which metrics it prints and which traces it reads
     * @return this
     * @throws IllegalArgumentException when there is no such command or state
     * @throws UncheckedIOException when its file cannot be written
     */
    public synchronized FakeProfiler tool(String command, String state) {
        if (!state.matches("absent|stub|working [!-~]+")) {
            throw new IllegalArgumentException(command + " is absent, stub or working VERSION, not \"" + state + '"');
        }
        tools.replace(command, tool(command), state);
        if (root != null) {
            try {
                ToolScripts.install(root, command, state);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot make " + command + " " + state + ": " + e, e);
            }
        }
        return this;
    }

    /** From now on the commands are files there. */
    synchronized void install(Path directory) throws IOException {
        for (Map.Entry<String, String> each : tools.entrySet()) {
            ToolScripts.install(directory, each.getKey(), each.getValue());
        }
        ToolScripts.workload(directory);
        root = directory;
    }

    synchronized void uninstall() {
        root = null;
    }

    /**
     * Lets calls find something different from now on.
     *
     * @param effect its name, such as {@code throttle}; {@code profiler help} lists all
     * @param arguments those of the effect, then maybe {@code "times"} or {@code "rank"} with a number
     * @return this
     */
    public FakeProfiler script(String effect, Object... arguments) {
        List<String> words = new ArrayList<>(List.of(effect));
        Stream.of(arguments).map(String::valueOf).map(Script::word).forEach(words::add);
        return script(words);
    }

    /** Adds a script of words in which blanks are escaped. */
    synchronized FakeProfiler script(List<String> words) {
        Script script = Script.parse(words);
        if (script.effect() == Effect.STATUS && !isFailure(script.arguments().get(0))) {
            throw Effect.STATUS.wrong(0, script.arguments().get(0));
        }
        scripts.add(new Pending(script));
        return this;
    }

    private static boolean isFailure(String status) {
        try {
            return NrtStatus.of(status) != NrtStatus.NRT_SUCCESS;
        } catch (IllegalArgumentException unknown) {
            return false;
        }
    }

    /**
     * What calls find different, beginning with the next.
     *
     * @return in the order in which it was given
     */
    public synchronized List<String> scripts() {
        return scripts.stream().map(pending -> pending.script.toString()).toList();
    }

    /**
     * Ends all scripts. The state of the tools stays.
     *
     * @return this
     */
    public synchronized FakeProfiler reset() {
        scripts.clear();
        return this;
    }

    /**
     * The calls that have asked this host. Of more than a thousand the oldest are dropped.
     *
     * @return the command and its words, oldest first; a blank in a word is {@code \s}
     */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /** Returns the facts about the host that each call gets. */
    String facts() {
        return "instance " + host.instanceType() + " driver " + host.driverVersion() + " lnc " + host.logicalCoreSize()
                + " runtime " + host.runtime().version();
    }

    /**
     * A call begins: it is told the number of the call among its kind, facts about the host, and scripts, of which those for some
     * calls only are used up by one. The control sockets of the host say this for the commands.
     */
    synchronized String begin(Effect.Stage stage, String commandLine) {
        calls.add(commandLine);
        if (calls.size() > MOST_CALLS) {
            calls.remove(0);
        }
        StringBuilder answer = new StringBuilder("call ").append(stage == Effect.Stage.CAPTURE ? ++captures : ++views);
        answer.append(' ').append(facts());
        for (Pending pending : List.copyOf(scripts)) {
            if (pending.script.effect().happensTo(pending.script.arguments(), stage)) {
                answer.append(" | ").append(pending.script);
                if (pending.left == 1) {
                    scripts.remove(pending);
                } else if (pending.left > 1) {
                    pending.left--;
                }
            }
        }
        return answer.toString();
    }
}
