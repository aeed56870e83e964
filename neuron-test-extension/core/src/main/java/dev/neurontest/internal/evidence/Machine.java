package dev.neurontest.internal.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/** The machine of this JVM. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Machine {

    private Machine() {}

    /**
     * Returns the name of the machine from the kernel or the shell. Java's own method would use the network.
     *
     * @return empty if the machine has no name
     */
    public static Optional<String> name() {
        try {
            return Optional.of(
                    Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
        } catch (IOException elsewhere) {
            return Optional.ofNullable(System.getenv("COMPUTERNAME"))
                    .or(() -> Optional.ofNullable(System.getenv("HOSTNAME")));
        }
    }
}
