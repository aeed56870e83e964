package dev.neurontest.fake.internal.command;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The signals that request the end of this JVM, passed to a listener instead. The JDK class for signals is supported in every JDK but is
 * not an official API. It is called by reflection, because the compiler warns of it.
 */
final class Signals {

    private static final List<String> NAMES = List.of("HUP", "INT", "TERM");
    private static final int INTERRUPT = 2;

    private Signals() {}

    /**
     * Registers a listener. A signal that this JVM was started to ignore remains ignored. With {@code -Xrs}, the system handles the signal
     * and ends this JVM.
     */
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
            throw new IllegalStateException("this JVM cannot pass signals on: " + e, e);
        }
    }

    /** Returns whether the signal was typed at the terminal. All processes in the foreground of the terminal have then received it too. */
    static boolean isTyped(int signal) {
        if (signal != INTERRUPT) {
            return false;
        }
        try {
            String status = Files.readString(Path.of("/proc/self/stat"));
            // The name may contain anything. The fields after it: state, parent, group, session, terminal, its
            // foreground group.
            String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ");
            return fields[2].equals(fields[5]);
        } catch (IOException e) {
            return false;
        }
    }
}
