package dev.neurontest.fake;

import dev.neurontest.fake.internal.tool.ToolScripts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Commands of a host that are files under {@code opt/aws/neuron/bin}, with their states. */
final class InstalledTools {

    static final String ABSENT = "absent";
    static final String STUB = "stub";

    private static final String WORKING = "working ";
    private static final Pattern VERSION = Pattern.compile("[!-~]+");

    private final Class<?> program;
    private final boolean canBeStub;
    // Guarded by this.
    private final Map<String, String> states;
    private @Nullable Path root;

    /**
     * Creates the commands of a program.
     *
     * @param program the main class of the commands
     * @param canBeStub true if the commands print their version, and a command can be one that refuses every call
     * @param states the state of each command
     */
    InstalledTools(Class<?> program, boolean canBeStub, Map<String, String> states) {
        this.program = program;
        this.canBeStub = canBeStub;
        this.states = new TreeMap<>(states);
    }

    /** Returns the state of a command that works. */
    static String working(String version) {
        return WORKING + version;
    }

    synchronized String state(String command) {
        String state = states.get(command);
        if (state == null) {
            throw new IllegalArgumentException(
                    "no tool \"" + command + "\" here; there are: " + String.join(", ", states.keySet()));
        }
        return state;
    }

    synchronized void change(String command, String state) {
        boolean isWorking = state.startsWith(WORKING)
                && VERSION.matcher(state.substring(WORKING.length())).matches();
        if (!isWorking && !state.equals(ABSENT) && !(canBeStub && state.equals(STUB))) {
            throw new IllegalArgumentException("the state of " + command + " must be absent"
                    + (canBeStub ? ", stub" : "") + " or working VERSION, not \"" + state + '"');
        }
        state(command);
        states.put(command, state);
        if (root != null) {
            try {
                install(root, command, state);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot change " + command + " to " + state + ": " + e, e);
            }
        }
    }

    private void install(Path directory, String command, String state) throws IOException {
        switch (state) {
            case ABSENT -> ToolScripts.remove(directory, command);
            case STUB -> ToolScripts.stub(directory, command);
            default -> ToolScripts.working(directory, command, state.substring(WORKING.length()), program, canBeStub);
        }
    }

    /** Installs the commands as files in a directory. */
    synchronized void install(Path directory) throws IOException {
        for (Map.Entry<String, String> each : states.entrySet()) {
            install(directory, each.getKey(), each.getValue());
        }
        root = directory;
    }

    synchronized void uninstall() {
        root = null;
    }
}
