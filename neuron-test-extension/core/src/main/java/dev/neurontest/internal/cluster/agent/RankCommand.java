package dev.neurontest.internal.cluster.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A program to be started on a host of a cluster.
 *
 * @param name its name in messages
 * @param words the program and its arguments
 * @param cores the indices of its cores
 * @param environment its variables, besides those of its host; they may contain secrets
 * @param folders the names of new folders for its files, by the variable that names the folder for the program
 * @param directory its working directory, which must exist on the host; empty for that of the test JVM if it exists there
 * @param usualDirectory the working directory of the test JVM
 * @param timeout the longest time until its end
 * @param outputLimit the kept bytes of each output
 * @param tag its tag in monitoring
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RankCommand(
        String name,
        List<String> words,
        List<Integer> cores,
        Map<String, String> environment,
        Map<String, String> folders,
        Optional<Path> directory,
        Path usualDirectory,
        Duration timeout,
        long outputLimit,
        String tag) {

    /** Returns the name only, because variables may contain secrets. */
    @Override
    public String toString() {
        return name;
    }
}
