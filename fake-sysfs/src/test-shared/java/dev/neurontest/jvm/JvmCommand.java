package dev.neurontest.jvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;

/** The command line of another JVM of a test, which ends before an optimizing compiler or a collector with many threads pays. */
@NullMarked
public final class JvmCommand {

    /** Halves the processor time of a JVM that lives for a second. */
    public static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private JvmCommand() {}

    /** Returns the {@code java} of this JVM with its options, before words of the caller. */
    public static List<String> java(String... words) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUICK);
        command.addAll(List.of(words));
        return command;
    }

    /** Returns what runs a program of the class path of this JVM. */
    public static List<String> program(Class<?> main, String... arguments) {
        return program(List.of(), main, arguments);
    }

    /** Returns what runs a program of the class path of this JVM, with further options. */
    public static List<String> program(List<String> options, Class<?> main, String... arguments) {
        List<String> command = java();
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
