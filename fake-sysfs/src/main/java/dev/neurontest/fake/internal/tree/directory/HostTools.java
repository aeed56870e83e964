package dev.neurontest.fake.internal.tree.directory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** The folders for tools of a host, and the environment variables that refer to them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostTools {

    private static final String PROGRAMS = "opt/aws/neuron/bin";
    private static final String LIBRARIES = "opt/aws/neuron/lib";
    private static final String MODULES = "opt/aws/neuron/python";
    private static final String PYTHON_PATH = "PYTHONPATH";

    private HostTools() {}

    /** Creates the folders, and a script that sets the environment of a shell. */
    static void create(Path root) throws IOException {
        Files.createDirectories(root.resolve(PROGRAMS));
        Files.createDirectories(root.resolve(LIBRARIES));
        Files.createDirectories(root.resolve(MODULES));
        String quoted = "'" + root.toString().replace("'", "'\\''") + "'";
        Files.writeString(root.resolve("env.sh"), """
                # Points a POSIX shell at this fake Neuron host. Source it; it may be sourced twice.
                NEURON_FAKE_ROOT=%s
                export NEURON_FAKE_ROOT
                case ":${PATH:-}:" in
                *":$NEURON_FAKE_ROOT/opt/aws/neuron/bin:"*) ;;
                *) PATH="$NEURON_FAKE_ROOT/opt/aws/neuron/bin${PATH:+:$PATH}" ;;
                esac
                export PATH
                case ":${LD_LIBRARY_PATH:-}:" in
                *":$NEURON_FAKE_ROOT/opt/aws/neuron/lib:"*) ;;
                *) LD_LIBRARY_PATH="$NEURON_FAKE_ROOT/opt/aws/neuron/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" ;;
                esac
                export LD_LIBRARY_PATH
                case ":${PYTHONPATH:-}:" in
                *":$NEURON_FAKE_ROOT/opt/aws/neuron/python:"*) ;;
                *) PYTHONPATH="$NEURON_FAKE_ROOT/opt/aws/neuron/python${PYTHONPATH:+:$PYTHONPATH}" ;;
                esac
                export PYTHONPATH
                """.formatted(quoted), StandardCharsets.UTF_8);
    }

    /**
     * Returns the variables that the script exports, for programs that are not started by a shell.
     *
     * @param root the root of a host
     * @param inherited the other environment variables of the program
     * @return the variables to set
     */
    public static Map<String, String> environment(Path root, Map<String, String> inherited) {
        return Map.of(
                "NEURON_FAKE_ROOT",
                root.toString(),
                "PATH",
                before(inherited.getOrDefault("PATH", ""), root.resolve(PROGRAMS)),
                "LD_LIBRARY_PATH",
                before(inherited.getOrDefault("LD_LIBRARY_PATH", ""), root.resolve(LIBRARIES)),
                PYTHON_PATH,
                pythonPath(root, inherited));
    }

    /** Returns the search path of Python for the modules of a host. */
    public static String pythonPath(Path root, Map<String, String> inherited) {
        return before(inherited.getOrDefault(PYTHON_PATH, ""), root.resolve(MODULES));
    }

    private static String before(String path, Path folder) {
        if (path.isEmpty()) {
            return folder.toString();
        }
        return List.of(path.split(":")).contains(folder.toString()) ? path : folder + ":" + path;
    }
}
