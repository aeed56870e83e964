package dev.neurontest.internal.report.merge;

import dev.neurontest.internal.evidence.Machine;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.RunReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/** Creator of one report from the run files of many JVMs. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RunReports {

    private RunReports() {}

    /**
     * Merges run files. An unreadable file becomes a problem of the report, and does not prevent reading the others. A repeated file, also
     * a copy, counts once. Lines are not kept in memory, therefore the memory is that of the report.
     *
     * @param filesOrFolders run files, and folders that contain some at any depth
     * @return the report
     */
    public static RunReport merge(Collection<Path> filesOrFolders) {
        return merge(filesOrFolders, RunChoice.ALL, (read, all) -> {});
    }

    /**
     * Merges run files and reports the progress.
     *
     * @param filesOrFolders run files, and folders that contain some at any depth
     * @param choice the run of the report, if there are several
     * @param progress receives the number of read files and the number of all files, from several threads
     * @return the report
     */
    public static RunReport merge(
            Collection<Path> filesOrFolders, RunChoice choice, BiConsumer<Integer, Integer> progress) {
        return merge(filesOrFolders, RunReports::isRunning, true, choice, progress);
    }

    /**
     * Merges the run files of one job, which may have run one shard of several.
     *
     * @return the report; missing other shards are no problem
     */
    public static RunReport mergeOfOneJob(Collection<Path> files) {
        return merge(files, RunReports::isRunning, false, RunChoice.ALL, (read, all) -> {});
    }

    /**
     * Checks whether a path is reserved for a run: a run file by its name or its first line, or a file that a test attached.
     *
     * @param path an existing file, or a name for a new one
     */
    public static boolean isOfRun(Path path) {
        return RunFiles.isOfRun(path);
    }

    static RunReport merge(Collection<Path> filesOrFolders, Predicate<ReportedJvm> liveness) {
        return merge(filesOrFolders, liveness, true, RunChoice.ALL, (read, all) -> {});
    }

    private static RunReport merge(
            Collection<Path> filesOrFolders,
            Predicate<ReportedJvm> liveness,
            boolean whole,
            RunChoice choice,
            BiConsumer<Integer, Integer> progress) {
        List<String> problems = new ArrayList<>();
        Collection<Path> files = RunFiles.in(filesOrFolders, problems);
        AtomicInteger read = new AtomicInteger();
        progress.accept(0, files.size());
        List<JvmReading> readings = files.parallelStream()
                .map(file -> {
                    JvmReading reading = JvmReading.of(file);
                    progress.accept(read.incrementAndGet(), files.size());
                    return reading;
                })
                .toList();
        Set<String> notices = new LinkedHashSet<>();
        List<JvmReading> chosen = new Runs(readings, choice).chosen(notices, problems);
        return ShownNames.in(new RunMerge(chosen, liveness, notices, problems).report(whole));
    }

    /**
     * Checks whether a JVM of this machine is still running, by querying the operating system. A process that is younger than the file is
     * another process.
     */
    private static boolean isRunning(ReportedJvm jvm) {
        return jvm.start()
                .filter(start -> start.machine().equals(Machine.name().orElse("")))
                .flatMap(start -> ProcessHandle.of(start.pid()))
                .filter(ProcessHandle::isAlive)
                .filter(process -> process.info()
                        .startInstant()
                        .filter(jvm.started()::isBefore)
                        .isEmpty())
                .isPresent();
    }
}
