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

/** Makes one report of the run files of many JVMs. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RunReports {

    private RunReports() {}

    /**
     * Merges run files. What cannot be read becomes a problem of the report, and never keeps the rest from being read. A file that is
     * given twice, also as a copy, counts once. A line is forgotten when it was read: the memory is that of the report.
     *
     * @param filesOrFolders run files, and folders with some at any depth
     * @return all that is known
     */
    public static RunReport merge(Collection<Path> filesOrFolders) {
        return merge(filesOrFolders, RunChoice.ALL, (read, all) -> {});
    }

    /**
     * Merges run files, and says how far it is.
     *
     * @param filesOrFolders run files, and folders with some at any depth
     * @param choice which of several runs the report is about
     * @param progress gets how many files were read, and how many there are; from several threads
     * @return all that is known
     */
    public static RunReport merge(
            Collection<Path> filesOrFolders, RunChoice choice, BiConsumer<Integer, Integer> progress) {
        return merge(filesOrFolders, RunReports::isRunning, true, choice, progress);
    }

    /**
     * Merges the run files of one job, which may have run one shard of several.
     *
     * @param files run files
     * @return all that is known; that other shards are not there is no problem
     */
    public static RunReport mergeOfOneJob(Collection<Path> files) {
        return merge(files, RunReports::isRunning, false, RunChoice.ALL, (read, all) -> {});
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
        return new RunMerge(chosen, liveness, notices, problems).report(whole);
    }

    /** Returns whether a JVM of this machine still runs, by the operating system. A process that is younger than the file is another one. */
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
