package dev.neurontest.fake.internal.command;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * What asks this JVM to end, heard instead of obeyed. The class that gives it is supported in every JDK but meant for few, so that
 * the compiler warns of it; hence by name.
 */
final class Signals {

    private static final List<String> NAMES = List.of("HUP", "INT", "TERM");
    private static final int INTERRUPT = 2;

    private Signals() {}

    /** A signal that this JVM was started to ignore stays ignored; one that {@code -Xrs} leaves to the system ends it. */
    static void listen(IntConsumer listener) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            for (String name : NAMES) {
                Object signal = signalType.getConstructor(String.class).newInstance(name);
                int number = (int) signalType.getMethod("getNumber").invoke(signal);
                Object handler = Proxy.newProxyInstance(
                        Signals.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                            listener.accept(number);
                            return null;
                        });
                signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, handler);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM hands no signals on: " + e, e);
        }
    }

    /** Whether all processes in the foreground of the terminal have had it as well, because it was typed there. */
    static boolean isTyped(int signal) {
        if (signal != INTERRUPT) {
            return false;
        }
        try {
            String status = Files.readString(Path.of("/proc/self/stat"));
            // After the name, which may hold anything: state, parent, group, session, terminal, its foreground group.
            String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ");
            return fields[2].equals(fields[5]);
        } catch (IOException e) {
            return false;
        }
    }
}
