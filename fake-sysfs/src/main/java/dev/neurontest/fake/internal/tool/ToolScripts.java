package dev.neurontest.fake.internal.tool;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.CodeSource;
import java.util.Map;
import org.apiguardian.api.API;

/** Writer of the executable files of the commands: shell scripts that start the same JVM that wrote them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ToolScripts {

    /** Location of the genuine commands. */
    private static final String TOOLS = "opt/aws/neuron/bin";

    private static final String PROGRAMS = "bin";

    /** The property with the value of {@code LC_ALL} in the user's environment. The JVM has another, to read names of files as UTF-8. */
    private static final String LOCALE = "fake.locale";

    private ToolScripts() {}

    /**
     * Removes a command.
     *
     * @param root the root of a host
     * @param tool name of the command
     * @throws IOException if the script cannot be deleted
     */
    public static void remove(Path root, String tool) throws IOException {
        Files.deleteIfExists(root.resolve(TOOLS).resolve(tool));
    }

    /**
     * Writes a command.
     *
     * @param root the root of a host
     * @param tool name of the command
     * @param version its version
     * @param program its main class, which receives the tool, its version, the root and the arguments of the user
     * @param printsVersion true if it has an option {@code --version}
     * @throws IOException if the script cannot be written
     */
    public static void working(Path root, String tool, String version, Class<?> program, boolean printsVersion)
            throws IOException {
        // The script answers the first and most frequent query without starting a JVM.
        String query = printsVersion ? """
                if [ "$#" -eq 1 ]; then
                    case $1 in --version | -v)
                        printf '%%s\\n' %s
                        exit 0
                        ;;
                    esac
                fi
                """.formatted(quoted(tool + " " + version)) : "";
        write(
                root.resolve(TOOLS),
                tool,
                "#!/bin/sh\n" + query
                        + "locale=$LC_ALL\nexport LC_ALL=C.UTF-8\nexec %s %s %s %s \"$@\"\n"
                                .formatted(java(program), tool, quoted(version), quoted(root.toString())));
    }

    /**
     * Writes {@code bin/run-neff}: a stand-in for a user's program that executes NEFFs.
     *
     * @param root the root of a host
     * @param program its main class, which receives the root and the arguments of the user
     * @throws IOException if the script cannot be written
     */
    public static void workload(Path root, Class<?> program) throws IOException {
        Files.createDirectories(root.resolve(PROGRAMS));
        write(root.resolve(PROGRAMS), "run-neff", """
                #!/bin/sh
                locale=$LC_ALL
                export LC_ALL=C.UTF-8
                exec %s %s "$@"
                """.formatted(java(program), quoted(root.toString())));
    }

    /** Returns the command line of the JVM, with options for a fast start rather than fast execution. */
    private static String java(Class<?> command) {
        return quoted(Path.of(System.getProperty("java.home"), "bin", "java").toString())
                + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -XX:-UsePerfData \"-D" + LOCALE
                + "=$locale\" -cp "
                + quoted(classPath())
                + ' ' + command.getName();
    }

    /**
     * Writes a command that refuses every call and names the newer tool.
     *
     * @param root the root of a host
     * @param tool name of the command
     * @throws IOException if the script cannot be written
     */
    public static void stub(Path root, String tool) throws IOException {
        // The text and the exit code of the genuine command are not known.
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

    /** Writes a script and renames it into place. Therefore no process runs an incomplete script. */
    private static void write(Path folder, String tool, String text) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(folder + " no longer exists");
        }
        Path script = Files.createTempFile(folder, "." + tool, "");
        Files.writeString(script, text, StandardCharsets.UTF_8);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(script, folder.resolve(tool), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Sets the locale of the user for a program that a command starts. */
    public static void restoreLocale(Map<String, String> environment) {
        String locale = System.getProperty(LOCALE);
        if (locale != null && locale.isEmpty()) {
            environment.remove("LC_ALL");
        } else if (locale != null) {
            environment.put("LC_ALL", locale);
        }
    }

    /** Returns the location of this class, which contains everything that the commands need. Falls back to the full class path. */
    private static String classPath() {
        try {
            CodeSource source = ToolScripts.class.getProtectionDomain().getCodeSource();
            if (source != null) {
                return Path.of(source.getLocation().toURI()).toString();
            }
        } catch (URISyntaxException | IllegalArgumentException notAFile) {
            // Falls back to the class path below.
        }
        return System.getProperty("java.class.path");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
