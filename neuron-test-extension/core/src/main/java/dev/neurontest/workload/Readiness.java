package dev.neurontest.workload;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The readiness condition of a server. A server is ready when all configured conditions hold. */
final class Readiness {

    private static final int CONNECTED_WITHIN_MILLIS = 500;
    private static final List<String> LOOPBACK = List.of("127.0.0.1", "::1");

    private final @Nullable Integer port;
    private final @Nullable Pattern line;
    private volatile boolean printed;

    Readiness(@Nullable Integer port, @Nullable Pattern line) {
        this.port = port;
        this.line = line;
    }

    /**
     * Throws an exception if a process already listens on the port. Otherwise the server of another process would be mistaken for this
     * one.
     */
    void checkPortIsFree() {
        if (port != null && isListening(port)) {
            throw new IllegalStateException(
                    ("Another program already listens on port %s of this machine, which would hide whether the workload is ready. End it, or use a free port.")
                            .formatted(port));
        }
    }

    void read(String text) {
        if (!printed && line != null && line.matcher(text).find()) {
            printed = true;
        }
    }

    boolean isReady() {
        return missing().isEmpty();
    }

    /** Returns whether an expected line is missing. The port is not checked, because its state is unknown after the end of the program. */
    boolean lacksLine() {
        return line != null && !printed;
    }

    /** Returns the conditions that do not hold yet. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (line != null && !printed) {
            missing.add("no line matched \"%s\"".formatted(line));
        } else if (port != null && !isListening(port)) {
            missing.add("nothing listened on port %s of this machine".formatted(port));
        }
        return missing;
    }

    private static boolean isListening(int port) {
        return LOOPBACK.stream().anyMatch(address -> accepts(address, port));
    }

    private static boolean accepts(String address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), CONNECTED_WITHIN_MILLIS);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
