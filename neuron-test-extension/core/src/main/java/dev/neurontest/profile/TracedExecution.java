package dev.neurontest.profile;

import dev.neurontest.internal.text.RankText;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * A traced execution: an NTFF with its results.
 *
 * @param neff the executed graph
 * @param ntff the trace file, which is kept
 * @param rank the rank of the worker; empty when there was only one worker
 * @param host the host of the worker, if the programs of a test ran on several hosts; then the rank is there too
 * @param index the number of the execution, from 1
 * @param header the header of the NTFF; empty when it cannot be read
 * @param summary its metrics
 * @param doubts the reasons why it cannot be judged
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TracedExecution(
        Path neff,
        Path ntff,
        OptionalInt rank,
        Optional<String> host,
        int index,
        Optional<NtffHeader> header,
        ProfileSummary summary,
        List<Doubt> doubts) {

    /**
     * Creates an execution with its own copy of the doubts.
     *
     * @param neff the executed graph
     * @param ntff the trace file
     * @param rank the rank of the worker
     * @param host the host of the worker
     * @param index the number of the execution
     * @param header the header of the NTFF
     * @param summary its metrics
     * @param doubts the reasons why it cannot be judged
     */
    public TracedExecution {
        doubts = List.copyOf(doubts);
    }

    /**
     * Returns the same execution with other metrics and doubts.
     *
     * @param summary the new metrics
     * @param doubts the new doubts
     * @return another execution
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public TracedExecution with(ProfileSummary summary, List<Doubt> doubts) {
        return new TracedExecution(neff, ntff, rank, host, index, header, summary, doubts);
    }

    /**
     * Returns the rank and the host in words.
     *
     * @return for example {@code rank 3 on n1}; empty with one worker on one host
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String worker() {
        if (rank.isEmpty()) {
            return "";
        }
        int number = rank.getAsInt();
        return host.map(name -> RankText.of(number, name)).orElse("rank " + number);
    }

    /**
     * Returns the full JSON of the trace, next to the NTFF.
     *
     * @return empty when it was not requested or not created
     */
    public Optional<Path> fullJson() {
        return Optional.of(TraceExport.FULL_JSON.of(ntff))
                .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
    }

    /**
     * Returns the tables of the trace, in a folder next to the NTFF.
     *
     * @return empty when they were not requested or not created
     * @throws dev.neurontest.profile.TablesException when the folder contains other files
     */
    public Optional<ProfileTables> tables() {
        return tablesFolder().map(ProfileTables::of);
    }

    /**
     * Returns the folder of the tables of the trace.
     *
     * @return empty when they were not requested or not created
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<Path> tablesFolder() {
        return Optional.of(TraceExport.TABLES.of(ntff))
                .filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS));
    }
}
