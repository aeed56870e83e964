package dev.neurontest.internal.report.merge;

import dev.neurontest.internal.report.RunReport;
import java.nio.file.Path;
import java.util.Collection;

/** Merges of run files for tests of the result. */
public final class MergeFixture {

    private MergeFixture() {}

    /** Merges as if none of the JVMs runs any more, even if another process has the process ID of one. */
    public static RunReport afterAllEnded(Collection<Path> filesOrFolders) {
        return RunReports.merge(filesOrFolders, jvm -> false);
    }
}
