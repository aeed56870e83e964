package dev.neurontest.device;

import org.apiguardian.api.API;

/**
 * A process that has a device open.
 *
 * @param pid its process id
 * @param command content of {@code proc/<pid>/comm}; {@code ?} when that was not readable
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProcessOwner(long pid, String command) {

    @Override
    public String toString() {
        return command + " (pid " + pid + ")";
    }
}
