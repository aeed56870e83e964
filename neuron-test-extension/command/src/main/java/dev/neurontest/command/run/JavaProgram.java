package dev.neurontest.command.run;

import dev.neurontest.file.InputFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * The {@code java} that tests run on: that of {@code JAVA_HOME}, or the one that runs this program.
 *
 * @param path the program
 * @param feature its version, such as 17; 0 where it does not say
 */
record JavaProgram(Path path, int feature) {

    /** From here on the JVM warns of native access that was not allowed, and understands the option for it everywhere. */
    private static final int NATIVE_ACCESS_WARNS = 24;

    static JavaProgram of(String home) {
        Path own = Path.of(System.getProperty("java.home"));
        Path chosen = home.isBlank() ? own : Path.of(home);
        Path program = chosen.resolve("bin").resolve(isWindows() ? "java.exe" : "java");
        if (!Files.isExecutable(program)) {
            throw new CommandException("JAVA_HOME is %s, and there is no %s. Correct it, or unset it to use %s."
                    .formatted(home, program, own));
        }
        return new JavaProgram(program, feature(chosen));
    }

    private static boolean isWindows() {
        return System.getProperty("os.name", "").startsWith("Windows");
    }

    private static int feature(Path home) {
        Properties release = new Properties();
        try {
            release.load(new StringReader(InputFile.PROPERTIES.text(home.resolve("release"))));
        } catch (IOException | IllegalArgumentException none) {
            return 0;
        }
        String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
        String first = version.split("[.+_-]", 2)[0];
        return first.matches("[0-9]{1,4}") ? Integer.parseInt(first) : 0;
    }

    /** libnrt is called through JNA, of which these JVMs would warn in every run. */
    List<String> options() {
        return feature >= NATIVE_ACCESS_WARNS ? List.of("--enable-native-access=ALL-UNNAMED") : List.of();
    }
}
