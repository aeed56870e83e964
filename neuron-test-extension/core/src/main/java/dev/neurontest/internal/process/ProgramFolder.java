package dev.neurontest.internal.process;

import java.util.List;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * A folder for files that each program of a cluster writes on its host. Its files are brought to this JVM when the workload has ended.
 *
 * @param name the name of the folder beside the output of the program
 * @param variable the variable that names the folder for the program
 * @param receiver receives the files of all programs of a workload at once, ordered by rank
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProgramFolder(String name, String variable, Consumer<List<ProgramFiles>> receiver) {}
