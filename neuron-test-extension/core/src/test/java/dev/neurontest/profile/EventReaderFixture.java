package dev.neurontest.profile;

import dev.neurontest.jvm.JvmCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another JVM that reads the events of a profile and prints the result. */
public final class EventReaderFixture {

    private EventReaderFixture() {}

    public static void main(String[] arguments) {
        try {
            System.out.println(ProfileEvents.read(Path.of(arguments[0])).nanos(Grouping.ENGINE) + " ns");
        } catch (ProfileEventsException | TablesException e) {
            System.out.println(e.getMessage());
        }
    }

    /** Returns its output, including standard error. */
    static List<String> run(Path profile, String classPath, String... options) throws IOException {
        List<String> command = JvmCommand.java(options);
        command.addAll(List.of("-cp", classPath, EventReaderFixture.class.getName(), profile.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        try (Stream<String> lines = process.inputReader().lines()) {
            return lines.toList();
        }
    }

    static String classPath() {
        return System.getProperty("java.class.path");
    }

    static String classPathWithoutDuckDb() {
        return Arrays.stream(classPath().split(File.pathSeparator))
                .filter(entry -> !entry.contains("duckdb"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
