package dev.neurontest.internal.report.merge;

import dev.neurontest.internal.report.RunReport;
import java.nio.file.Path;
import java.util.Collection;

/** Merges run files for tests of the result. */
public final class MergeFixture {

    private MergeFixture() {}

    /** None of the JVMs runs any more, whatever process has the number of one by now. */
    public static RunReport afterAllEnded(Collection<Path> filesOrFolders) {
        return RunReports.merge(filesOrFolders, jvm -> false);
    }
}
