package dev.neurontest.fake;

import dev.neurontest.fake.internal.profiler.ProfilerCommand;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Script;
import dev.neurontest.fake.internal.profiler.capture.WorkloadCommand;
import dev.neurontest.fake.internal.script.AddedScript;
import dev.neurontest.fake.internal.tool.ToolScripts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The profiler commands of a host, with scripts that change the results of their next calls. The commands are files in
 * {@link FakeNeuronHost#directory()}, under {@code opt/aws/neuron/bin}, and take the flags of the genuine ones. Each call
 * queries the host. By default a driver of up to SDK 2.26 has {@code neuron-profile} alone, one of up to SDK 2.29 has both commands, and
 * a newer one has {@code neuron-explorer} and a {@code neuron-profile} that refuses all calls.
 *
 * <pre>{@code
 * host.profiler()
 *         .script("throttle", 0.4, "times", 2)
 *         .script("metric", "spill_save_bytes", 4096);
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeProfiler {

    private static final int FIRST_SDK_WITH_EXPLORER = 27;
    private static final int LAST_SDK_WITH_PROFILE = 29;
    private static final int MOST_CALLS = 1000;

    private final FakeNeuronHost host;
    private final InstalledTools tools;
    // Guarded by this.
    private final List<Pending> scripts = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private long captures;
    private long views;

    private static final class Pending {

        private final Script script;
        private final Thread author = Thread.currentThread();
        private int remainingCalls;
        private boolean used;

        private Pending(Script script) {
            this.script = script;
            this.remainingCalls = script.times();
        }
    }

    FakeProfiler(FakeNeuronHost host) {
        this.host = host;
        int sdk = host.sdkMinor();
        tools = new InstalledTools(
                ProfilerCommand.class,
                true,
                Map.of(
                        "neuron-explorer", sdk < FIRST_SDK_WITH_EXPLORER ? InstalledTools.ABSENT : working(sdk),
                        "neuron-profile", sdk > LAST_SDK_WITH_PROFILE ? InstalledTools.STUB : working(sdk)));
    }

    /** Returns the state of a working command. The version has the form of tools 2.25 and 2.26; its last parts are made up. */
    private static String working(int sdk) {
        return InstalledTools.working("2." + sdk + ".14.0%kaena-tools/2." + sdk + "@6459a28");
    }

    /**
     * Returns the state of a command: whether it is installed and works.
     *
     * @param command {@code neuron-explorer}, which exists from SDK 2.27 on; its default output starts a server that never ends. Or
     *     {@code neuron-profile}, which exists up to SDK 2.29; its default output needs InfluxDB.
     * @return the state
     * @throws IllegalArgumentException when there is no such command
     */
    public String tool(String command) {
        return tools.state(command);
    }

    /**
     * Installs or removes a command.
     *
     * @param command {@code neuron-explorer} or {@code neuron-profile}
     * @param state a state that was seen on hosts: {@code absent} if there is no file; {@code stub} if the command refuses every call and
     *     names the other tool; or {@code working} and a version, such as {@code working 2.25.145.0%kaena-tools/2.25@866f606}. The second
     *     number of the version, that of the SDK, determines the metrics that it prints and the traces that it reads.
     * @return this
     * @throws IllegalArgumentException when there is no such command or state
     * @throws UncheckedIOException when its file cannot be written
     */
    public FakeProfiler tool(String command, String state) {
        tools.change(command, state);
        return this;
    }

    /** Installs the commands as files in a directory. */
    void install(Path directory) throws IOException {
        tools.install(directory);
        ToolScripts.workload(directory, WorkloadCommand.class);
    }

    void uninstall() {
        tools.uninstall();
    }

    /**
     * Adds a script that changes the result of calls from now on.
     *
     * @param effect the name of the effect, such as {@code throttle}; {@code profiler help} lists all
     * @param arguments the arguments of the effect, optionally followed by {@code "times"} or {@code "rank"} with a number
     * @return this
     */
    public FakeProfiler script(String effect, Object... arguments) {
        List<String> words = new ArrayList<>(List.of(effect));
        Stream.of(arguments).map(String::valueOf).map(Script::word).forEach(words::add);
        return script(words);
    }

    /** Adds a script of words with escaped blanks. */
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
     * Returns the scripts that change the result of the next calls.
     *
     * @return the scripts, in the order in which they were added
     */
    public synchronized List<String> scripts() {
        return scripts.stream().map(pending -> pending.script.toString()).toList();
    }

    /** Returns the same scripts with their authors. */
    synchronized List<AddedScript> added() {
        List<AddedScript> added = new ArrayList<>();
        for (Pending pending : scripts) {
            added.add(new AddedScript(
                    pending, pending.author, "profiler " + pending.script, pending.used, () -> end(pending)));
        }
        return List.copyOf(added);
    }

    private synchronized void end(Pending pending) {
        scripts.remove(pending);
    }

    /**
     * Ends all scripts. The state of the tools is kept.
     *
     * @return this
     */
    public synchronized FakeProfiler reset() {
        scripts.clear();
        return this;
    }

    /**
     * Returns the calls that this host has received. After a thousand calls the oldest are dropped.
     *
     * @return the command and its words, oldest first; a blank in a word is {@code \s}
     */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /** Returns the facts about the host that each call receives. */
    String facts() {
        return "instance " + host.instanceType() + " driver " + host.driverVersion() + " lnc " + host.logicalCoreSize()
                + " runtime " + host.runtime().version();
    }

    /**
     * Begins a call. Returns the number of the call among calls of its kind, facts about the host, and scripts. A script with a limited
     * number of calls is used up by one. The commands send this over the control socket of the host.
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
                pending.used = true;
                if (pending.remainingCalls == 1) {
                    scripts.remove(pending);
                } else if (pending.remainingCalls > 1) {
                    pending.remainingCalls--;
                }
            }
        }
        return answer.toString();
    }
}
