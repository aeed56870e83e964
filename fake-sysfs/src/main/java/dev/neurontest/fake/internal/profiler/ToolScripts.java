package dev.neurontest.fake.internal.profiler;

import dev.neurontest.fake.internal.profiler.capture.WorkloadCommand;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.CodeSource;
import org.apiguardian.api.API;

/** The executable files of the commands: shell scripts that start the JVM which wrote them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ToolScripts {

    /** Where the genuine commands are. */
    private static final String TOOLS = "opt/aws/neuron/bin";

    private static final String PROGRAMS = "bin";

    private ToolScripts() {}

    /**
     * Writes a command, or takes it away.
     *
     * @param root the root of a host
     * @param tool its name
     * @param state {@code absent}, {@code stub}, or {@code working} with what it prints for {@code --version}
     * @throws IOException when it cannot be written
     */
    public static void install(Path root, String tool, String state) throws IOException {
        switch (state) {
            case "absent" -> Files.deleteIfExists(root.resolve(TOOLS).resolve(tool));
            case "stub" -> stub(root, tool);
            default -> working(root, tool, state.substring(state.indexOf(' ') + 1));
        }
    }

    private static void working(Path root, String tool, String version) throws IOException {
        // The answer to the question that is asked first and most does not wait for a JVM.
        write(root.resolve(TOOLS), tool, """
                #!/bin/sh
                if [ "$#" -eq 1 ]; then
                    case $1 in --version | -v)
                        printf '%%s\\n' %s
                        exit 0
                        ;;
                    esac
                fi
                exec %s %s %s %s "$@"
                """.formatted(
                        quoted(tool + " " + version),
                        java(ProfilerCommand.class),
                        tool,
                        quoted(version),
                        quoted(root.toString())));
    }

    /**
     * Writes {@code bin/run-neff}: a program of a user, which executes NEFFs.
     *
     * @param root the root of a host
     * @throws IOException when it cannot be written
     */
    public static void workload(Path root) throws IOException {
        Files.createDirectories(root.resolve(PROGRAMS));
        write(root.resolve(PROGRAMS), "run-neff", """
                #!/bin/sh
                exec %s %s "$@"
                """.formatted(java(WorkloadCommand.class), quoted(root.toString())));
    }

    /** Starts fast rather than that it runs fast. */
    private static String java(Class<?> command) {
        return quoted(Path.of(System.getProperty("java.home"), "bin", "java").toString())
                + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -XX:-UsePerfData -cp " + quoted(classPath())
                + ' ' + command.getName();
    }

    private static void stub(Path root, String tool) throws IOException {
        // The words of the genuine one are not known, nor is its exit code.
        write(root.resolve(TOOLS), tool, """
                #!/bin/sh
                cat >&2 <<'END'
                ********************************************************************
                *  %s is no longer supported and does not run any more.
                *  Use neuron-explorer instead.
                ********************************************************************
                END
                exit 1
                """.formatted(tool));
    }

    /** Renamed into place, so that no process runs half of it. */
    private static void write(Path folder, String tool, String text) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(folder + " is not there any more");
        }
        Path script = Files.createTempFile(folder, "." + tool, "");
        Files.writeString(script, text, StandardCharsets.UTF_8);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(script, folder.resolve(tool), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Where this class is, which is all that the commands need; else where everything is. */
    private static String classPath() {
        try {
            CodeSource source = ToolScripts.class.getProtectionDomain().getCodeSource();
            if (source != null) {
                return Path.of(source.getLocation().toURI()).toString();
            }
        } catch (URISyntaxException | IllegalArgumentException notAFile) {
            // Below is the other way.
        }
        return System.getProperty("java.class.path");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
