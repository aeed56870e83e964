package dev.neurontest.fake.internal.profiler.call;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.tool.ToolFailure;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A run of a command.
 *
 * @param release the command and its version
 * @param root the root of its host
 * @param arguments the words after the name of the command
 * @param environment its environment variables
 * @param directory its working directory
 * @param out its standard output
 * @param err its standard error
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Invocation(
        ToolRelease release,
        Path root,
        List<String> arguments,
        Map<String, String> environment,
        Path directory,
        PrintStream out,
        PrintStream err) {

    /**
     * Creates the invocation of this process, with its standard output, standard error and environment.
     *
     * @param release the command and its version
     * @param root the root of the host that wrote the script, unless a variable names another
     * @param arguments the words after the name of the command
     */
    public static Invocation ofThisProcess(ToolRelease release, String root, List<String> arguments) {
        Path directory = Path.of("").toAbsolutePath();
        Map<String, String> environment = System.getenv();
        String named = environment.getOrDefault("NEURON_FAKE_ROOT", "");
        return new Invocation(
                release,
                directory.resolve(named.isEmpty() ? root : named),
                arguments,
                environment,
                directory,
                stream(FileDescriptor.out),
                stream(FileDescriptor.err));
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /**
     * Reads a NEFF.
     *
     * @param name the file name as given
     * @throws ToolFailure if it cannot be read
     */
    public Neff readNeff(String name) throws ToolFailure {
        try {
            return Neff.read(path(name));
        } catch (NoSuchFileException gone) {
            throw refuse("open " + name + ": no such file or directory");
        } catch (EOFException truncated) {
            throw refuse("Failed to load NEFF " + name + ": unexpected EOF, " + truncated.getMessage());
        } catch (IOException wrong) {
            throw refuse("Failed to load NEFF " + name + ": " + wrong.getMessage());
        }
    }

    /**
     * Reads a NEFF of this stand-in. Other NEFFs contain nothing from which the stand-in can compute metrics.
     *
     * @param name the file name as given
     * @throws ToolFailure if it cannot be read or was not created by fake-sysfs
     */
    public Neff readOwnNeff(String name) throws ToolFailure {
        Neff neff = readNeff(name);
        if (neff.model().inputs() == null) {
            throw refuse(
                    "Failed to load NEFF " + name
                            + ": it is not one of fake-sysfs, and this stand-in invents no numbers for it. Make one with fake-sysfs neff");
        }
        return neff;
    }

    /**
     * Resolves a file name against the working directory.
     *
     * @param name an absolute or relative name
     */
    public Path path(String name) {
        return directory.resolve(name);
    }

    /**
     * Returns an environment variable.
     *
     * @return the value; empty if it is not set
     */
    public String variable(String name) {
        return environment.getOrDefault(name, "");
    }

    /**
     * Warns of dropped events.
     *
     * @param dropped number of events
     */
    public void warnOfDropped(long dropped) {
        if (dropped > 0) {
            err.println("Warning: " + dropped + " trace events were dropped");
        }
    }

    /**
     * Logs a line in the format of the tools.
     *
     * @param level level such as {@code ERRO}
     * @param text text of the event
     * @param fields text after it
     */
    public void log(String level, String text, String... fields) {
        StringBuilder line = new StringBuilder(level).append("[0000] ").append(text);
        if (fields.length > 0) {
            line.append(" ".repeat(Math.max(0, 44 - text.length()))).append(' ');
        }
        for (String field : fields) {
            line.append(' ').append(field);
        }
        err.println(line);
    }

    /**
     * Logs an error that ends the command.
     *
     * @param text text of the error
     * @return the exception to throw
     */
    public ToolFailure refuse(String text) {
        log("ERRO", text);
        return new ToolFailure(release.tool() + " exited with an error." + release.tool() + ' ' + release.version());
    }
}
