package dev.neurontest.internal.process;

import dev.neurontest.internal.text.RankText;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The files that a program of a cluster wrote to its {@link ProgramFolder}.
 *
 * @param rank the number of the program among all programs of the workload
 * @param host the host of the program
 * @param firstCore the number of its first core among the cores of all programs
 * @param cores the number of its cores
 * @param folder a folder of this JVM with the files; empty if none were brought over
 * @param missing why files are missing; empty if all were brought over
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProgramFiles(
        int rank, String host, int firstCore, int cores, Optional<Path> folder, Optional<String> missing) {

    /** Returns the name of the program in messages, such as {@code rank 3 on n1}. */
    public String program() {
        return RankText.of(rank, host);
    }
}
