package dev.neurontest.jvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;

/**
 * The command line of a short-lived JVM of a test, which an optimizing compiler or a parallel collector would only slow
 * down.
 */
@NullMarked
public final class JvmCommand {

    /** Options that halve the processor time of a JVM with a lifetime of a second. */
    public static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private JvmCommand() {}

    /** Returns the {@code java} of this JVM with its options, followed by words of the caller. */
    public static List<String> java(String... words) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUICK);
        command.addAll(List.of(words));
        return command;
    }

    /** Returns the command that runs a program of the class path of this JVM. */
    public static List<String> program(Class<?> main, String... arguments) {
        return program(List.of(), main, arguments);
    }

    /** Returns the command that runs a program of the class path of this JVM with further options. */
    public static List<String> program(List<String> options, Class<?> main, String... arguments) {
        List<String> command = java();
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
