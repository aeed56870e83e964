package dev.neurontest.internal.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/** The machine on which this JVM runs. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Machine {

    private Machine() {}

    /**
     * Its name as the kernel or the shell says it; Java itself would ask the network.
     *
     * @return empty where it has none
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
