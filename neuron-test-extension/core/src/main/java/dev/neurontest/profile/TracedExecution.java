package dev.neurontest.profile;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * One traced execution: an NTFF with what was made of it.
 *
 * @param neff the graph that was executed
 * @param ntff the trace; it is kept
 * @param rank of the worker; empty when there was one worker only
 * @param index which execution it was, from 1
 * @param header of the NTFF; empty when it cannot be read
 * @param summary its metrics
 * @param doubts why nothing can be decided by it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TracedExecution(
        Path neff,
        Path ntff,
        OptionalInt rank,
        int index,
        Optional<NtffHeader> header,
        ProfileSummary summary,
        List<Doubt> doubts) {

    /**
     * Keeps its own copy.
     *
     * @param neff the graph
     * @param ntff the trace
     * @param rank of the worker
     * @param index which execution
     * @param header of the NTFF
     * @param summary its metrics
     * @param doubts why nothing can be decided by it
     */
    public TracedExecution {
        doubts = List.copyOf(doubts);
    }

    /**
     * Returns the same with other metrics and doubts.
     *
     * @param others its metrics
     * @param its why nothing can be decided by it
     * @return another execution
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public TracedExecution with(ProfileSummary others, List<Doubt> its) {
        return new TracedExecution(neff, ntff, rank, index, header, others, its);
    }

    /**
     * The trace as full JSON, beside the NTFF.
     *
     * @return empty when it was not asked for, or was not made
     */
    public Optional<Path> fullJson() {
        return Optional.of(TraceExport.FULL_JSON.of(ntff))
                .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
    }

    /**
     * The tables of the trace, in a folder beside the NTFF.
     *
     * @return empty when they were not asked for, or were not made
     * @throws dev.neurontest.profile.TablesException when the folder holds something else
     */
    public Optional<ProfileTables> tables() {
        return tablesFolder().map(ProfileTables::of);
    }

    /**
     * Where the tables of the trace are.
     *
     * @return empty when they were not asked for, or were not made
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<Path> tablesFolder() {
        return Optional.of(TraceExport.TABLES.of(ntff))
                .filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS));
    }
}
